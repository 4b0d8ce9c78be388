# sign in, and a short way to call
TOKEN=$(tally token --as ann)
call() {
  buf curl --protocol grpc --http2-prior-knowledge \
    -H "Authorization: Bearer $TOKEN" -d "$2" "http://127.0.0.1:$1"
}

# what can be called
buf curl --protocol grpc --http2-prior-knowledge --list-methods http://127.0.0.1:50052

# open a table for three, seat two bots beside yourself, start
call 50051/tallystick.lobby.v1.LobbyService/OpenTable \
  '{"game": "dwergar", "players": 3, "commandId": "ann-1"}'
TABLE=...   # the tableId in the answer
call 50051/tallystick.lobby.v1.LobbyService/SeatBot \
  '{"tableId": "'$TABLE'", "bot": "planner", "commandId": "ann-2"}'
call 50051/tallystick.lobby.v1.LobbyService/SeatBot \
  '{"tableId": "'$TABLE'", "bot": "random", "commandId": "ann-3"}'
call 50051/tallystick.lobby.v1.LobbyService/StartTable \
  '{"tableId": "'$TABLE'", "commandId": "ann-4"}'
MATCH=$TABLE   # the matchId in the answer

# look, answer the question you are asked, and again
call 50052/tallystick.rules.v1.RulesService/GetView '{"matchId": "'$MATCH'"}'
DECISION=...   # the decisionId of your decision
MOVE=...       # the notation of one of its options
call 50052/tallystick.rules.v1.RulesService/PlayMove \
  '{"matchId": "'$MATCH'", "decisionId": "'$DECISION'", "move": "'"$MOVE"'", "commandId": "ann-5"}'

# see everything that happened, then what happens (Ctrl-C ends it)
call 50052/tallystick.rules.v1.RulesService/WatchMatch '{"matchId": "'$MATCH'"}'

# the points as another service counts them
call 50053/tallystick.scoring.v1.ScoringService/GetScoreSheet '{"matchId": "'$MATCH'"}'
