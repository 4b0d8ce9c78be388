"""The edge of a service: who calls, what they may, what they are told, and how calls end.

errors   what a caller is told when a call fails
auth     whose tokens we believe; issuer signs our own in development
policy   who may call what
config   the limits of a server
gate     the one wrapper in front of every RPC
call     the call being served
streams  serving a watcher
server   the listening server
client   calling a service
wiring   all of it from the settings
"""
