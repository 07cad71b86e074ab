"""Study: what every card was worth to whoever chose it, why, and what a deal came to.

Views and records in, values out: nothing here knows a clock, a store or a language.
"""
