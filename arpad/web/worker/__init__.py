"""The one process that has pools in memory: it settles, explains, previews and makes lists of the past.

asks.py     what it can be asked, each a function of plain data
client.py   how the site asks: over the socket in the data folder, or inline in tests
server.py   the process: answers the socket, settles when woken and by itself every second
"""
