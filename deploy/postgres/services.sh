#!/bin/sh
# Runs once, when the PostgreSQL volume is new: a database and a role for each service, so that no
# service can read another's. The passwords come from <SERVICE>_DATABASE_PASSWORD.
set -eu

for service in $SERVICES; do
    variable="$(printf %s "$service" | tr '[:lower:]' '[:upper:]')_DATABASE_PASSWORD"
    eval "PASSWORD=\${$variable:-}"
    if [ -z "$PASSWORD" ]; then
        echo "$variable is not set: the role $service needs a password" >&2
        exit 1
    fi
    export PASSWORD
    psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set service="$service" \
        --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv password PASSWORD
CREATE ROLE :"service" LOGIN PASSWORD :'password';
CREATE DATABASE :"service" OWNER :"service";
REVOKE ALL ON DATABASE :"service" FROM PUBLIC;
SQL
done
