"""The addresses of the pages."""

from django.urls import path, register_converter

from web.converters import RowId
from web.views import (
    about,
    archives,
    bots,
    disputes,
    doctor,
    home,
    matches,
    player,
    ratings,
    replays,
    robots,
    status,
    submit,
    tournaments,
)

register_converter(RowId, "id")

app_name = "web"

urlpatterns = [
    path("", home.home, name="home"),
    path("live/", home.live, name="home_live"),
    path("tournaments/", tournaments.listing, name="tournaments"),
    path("formats/", about.formats, name="formats"),
    path("tournaments/<slug:slug>/", tournaments.page, name="tournament"),
    path("tournaments/<slug:slug>/live/", tournaments.live, name="tournament_live"),
    path("tournaments/<slug:slug>/compare/", ratings.compare, name="compare"),
    path("tournaments/<slug:slug>/versions/<id:version_id>/", ratings.version, name="rating"),
    path("tournaments/<slug:slug>/archive/", archives.download, name="archive"),
    path("bots/", bots.listing, name="bots"),
    path("bots/mine/", bots.mine, name="my_bots"),
    path("bots/new/", submit.new_bot, name="new_bot"),
    path("bots/<id:bot_id>/", bots.page, name="bot"),
    path("bots/<id:bot_id>/live/", bots.live, name="bot_live"),
    path("bots/<id:bot_id>/submit/", submit.new_version, name="submit"),
    path("bots/<id:bot_id>/versions/<id:number>/resume/", bots.resume, name="resume"),
    path("bots/<id:bot_id>/versions/<id:number>/log/", bots.version_log, name="version_log"),
    path("matches/", matches.listing, name="matches"),
    path("matches/<id:match_id>/", matches.page, name="match"),
    path("matches/<id:match_id>/dispute/", disputes.file, name="dispute"),
    path("matches/<id:match_id>/decide/", disputes.decide, name="decide"),
    path("matches/<id:match_id>/frames/", player.frames, name="frames"),
    path("matches/<id:match_id>/replay/", replays.download, name="replay"),
    path("matches/<id:match_id>/seats/<int:seat>/log/", matches.seat_log, name="seat_log"),
    path("matches/<id:match_id>/seats/<int:seat>/remarks/", player.remarks, name="remarks"),
    path("deck/", player.deck, name="deck"),
    path("desk/", disputes.desk, name="desk"),
    path("doctor/", doctor.page, name="doctor"),
    path("rules/", about.rules, name="rules"),
    path("protocol/", about.protocol, name="protocol"),
    path("keys.json", about.keys, name="keys"),
    path("robots.txt", robots.robots, name="robots"),
    path("healthz", status.healthz, name="healthz"),
]
