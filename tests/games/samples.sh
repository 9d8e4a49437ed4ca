# shellcheck shell=bash disable=SC2034
# samples.sh: sourced. The samples of each game from weak to strong.
declare -A order=(
    [connect4]="random threat search perfect"
    [planetwars]="random half value"
    [skirmish]="wander rush siege"
    [tron]="wall flood space"
)
