"""Names for invented people: a first name and a family name, put together by chance."""

from __future__ import annotations

# Flemish, Walloon, Dutch, German, English, and the names that families brought from elsewhere.
_WOMEN = """
Adèle Aïcha Alice Amber Amélie Amina Anke Annelies Anouk Astrid Ayşe Babette Beatrijs Birgit Camille
Charlotte Chiara Chloé Clara Dagmar Daniela Dorothea Edith Eefje Eleni Élise Elke Eloïse Esther Fatima Fien
Freya Gaëlle Gitte Greta Griet Gwen Hanne Hanneke Harriet Heike Hilde Ilse Imogen Inès Ingrid Isabelle Jade
Johanna Judith Kaat Katrien Kenza Klara Leila Lena Leyla Liesbeth Lotte Louise Lucie Maëlle Maja Malika
Manon Margot Marijke Mathilde Maud Merel Mieke Mira Myriam Nadia Nele Nina Noor Noémie Olivia Pascale
Philippa Rana Renske Roos Sabine Samira Sara Selin Sofie Solène Suzanne Tamara Tess Tine Ursula Valérie
Veerle Yara Yasmin Zita Zoë
"""
_MEN = """
Aaron Aleksander Antoine Arne Arthur Axel Bart Basile Benoît Björn Boris Brecht Caspar Cédric Clément Daan
Diego Dirk Driss Edward Emiel Emre Erwin Étienne Filip Florian Fons François Frederik Gareth Geert Gilles
Goran Guillaume Hamza Hassan Hendrik Hugo Ibrahim Ivo Jasper Jeroen Joachim Jonas Joost Joris Jörg Julien
Jürgen Karel Karim Klaas Koenraad Kristof Lander Lars Laurent Léon Lieven Loïc Luka Maarten Marek Marius
Matteo Mehdi Mehmet Michał Milan Mohamed Nicolas Niels Nikolaj Omar Oscar Paul Pieter Quentin Rachid Raf
Robin Romain Ruben Sander Sébastien Siebe Simon Stijn Sven Tariq Thibault Thijs Thomas Tibo Tobias Tom Tuur
Victor Vincent Warre Wietse Willem Wout Xander Yann Youssef Yusuf
"""
_FAMILIES = """
Aerts|Ait Haddou|Akkerman|Amrani|Arslan|Baert|Baumann|Beckers|Benali|Bergmans|Blackwood|Bogaerts
Boons|Bouchard|Bouckaert|Brandt|Bruynseels|Buchholz|Callebaut|Carlier|Castelein|Cattoir|Çelik
Chapelle|Claeys|Collard|Coppens|Costa|Crabbe|D’Haene|D’Hondt|D’Hooghe|Daems|De Backer|De Cock
De Graeve|De Groote|De Keyser|De Maeyer|De Pauw|De Rycke|De Schepper|De Smet|De Vos|de Vries
De Wilde|De Winter|Debruyne|Declercq|Degryse|Delacroix|Delvaux|Demir|Denis|Depauw|Deschamps
Devos|Dewaele|Dhaese|Diallo|Dierckx|Dubois|Dumont|Dupont|Eeckhout|El Amrani|Engels|Evrard|Feys
Fontaine|Fraser|Geerts|Gérard|Gielen|Goossens|Greenfield|Hachez|Hallaert|Hamdi|Hartmann|Heylen
Hofmann|Horvat|Huysmans|Ivanova|Jacobs|Janssens|Jansen|Joris|Kabongo|Kaya|Kiekens|Koster
Kowalczyk|Kruger|Lambrechts|Langlois|Laurens|Lecomte|Lefèvre|Lejeune|Lemmens|Leroy|Lievens
Lindqvist|Luyten|Maes|Mahieu|Marchal|Martens|Mbeki|Meeus|Mertens|Meyer|Moens|Moreau|Müller
Mukendi|Nagels|Nguyen|Nowak|O’Brien|O’Keeffe|Okafor|Okonkwo|op de Beeck|Özdemir|Pauwels|Peeters
Pereira|Petit|Piette|Pirard|Popescu|Quintens|Raes|Renard|Rossi|Roelandts|Roth|Sahin|Sanchez
Santos|Schäfer|Schmitz|Schreurs|Segers|Servais|Simons|Smeets|Sterckx|Stevens|Swinnen|Szabó
't Hooft|’t Kindt|Tanghe|Ter Beek|ter Horst|Thielemans|Thiry|Thys|Timmermans|Tran|Uytterhoeven
Valcke|Van Acker|van Beek|van Damme|Van Daele|van de Velde|Van den Abeele|van den Berg
Van den Bossche|van der Heijden|van der Linden|Van Dessel|Van Eyken|van Houten|Van Hove|van ’t Veer
Van Overstraeten|Vandenberghe|Vandewalle|Verbeke|Vercammen|Verhaegen|Verhoeven|Vermeer|Verstraete
Vranckx|Wauters|Weber|Whitfield|Willems|Wouters|Wright|Wuyts|Yıldız|Zeegers|Zielińska|Zimmermann
"""

WOMEN = _WOMEN.split()
MEN = _MEN.split()
FAMILIES = _FAMILIES.strip().replace("\n", "|").split("|")
