"""The edge of a service: who calls, what they may, what they are told, and how calls end.

errors   what a caller can be told when a call fails
table    the one table from exceptions to that
auth     whose tokens we believe; issuer signs our own in development
policy   who may call what
config   the limits of a server
gate     the one wrapper in front of every RPC
call     the call being served
streams  serving a watcher
server   the listening server
client   calling a service
tls      the certificate a service shows, and the authorities a caller believes
wiring   all of it from the settings
"""
