"""What every service stands on: store, bus, RPC, settings, logs. It knows no game words."""
