"""The site: pages, accounts, the worker behind them. Settings in settings.py, addresses in urls.py."""
