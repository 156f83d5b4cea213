"""What the hall itself owns: pairings, official results, warnings of the event, accounts, rulings."""
