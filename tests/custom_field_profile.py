"""The profile of the tests of own fields: recipes, their genres, users and an options page."""

from __future__ import annotations

import tomllib

import msgspec

from vetrina.profile_checks import find_profile_faults
from vetrina.settings import Profile, load_profile

DECLARED = """
[types.recipe]
label = "Recipes"
base = "recipes"
supports = ["title", "editor", "author"]
taxonomies = ["genre"]
revisions = true
translation = "translated"

[types.recipe.fields]
subtitle = {type = "text", max_length = 20, pattern = "[A-Z].*"}
prep_minutes = {type = "integer", label = "Minutes", help = "How long it takes.", minimum = 0, maximum = 600}
rating = {type = "number", minimum = 0, maximum = 5, translation = "shared"}
vegan = {type = "boolean", default = false}
cooked_on = {type = "date", minimum = "2000-01-01"}
served_at = {type = "date_time"}
difficulty = {type = "choice", choices = ["easy", "hard"], required = true}
tags = {type = "choice", choices = {hot = "Hot", cold = "Cold"}, multiple = true, max_items = 2}
hue = {type = "colour"}
source = {type = "url"}
contact = {type = "email", read = "edit_others_posts"}
story = {type = "rich_text"}
layout = {type = "blocks"}
photo = {type = "image"}
sheet = {type = "file"}
album = {type = "gallery", max_items = 3}
chef = {type = "relation", to = "user"}
similar = {type = "relation", to = "recipe", multiple = true}
mood = {type = "relation", to = "genre"}
price_note = {type = "text", write = "manage_options"}

[types.recipe.fields.yields]
type = "group"
fields = {portions = {type = "integer", minimum = 1, required = true}, unit = {type = "text", default = "plates"}}

[types.recipe.fields.steps]
type = "repeater"
max_items = 3
[types.recipe.fields.steps.fields]
text = {type = "text", required = true}
minutes = {type = "integer", minimum = 0}

[taxonomies.genre]
label = "Genres"
base = "genres"
types = ["recipe"]
translation = "translated"
[taxonomies.genre.fields]
accent = {type = "colour", translation = "shared"}
motto = {type = "text", required = true}

[fields.post.sponsor]
type = "text"
[fields.attachment.licence]
type = "choice"
choices = ["free", "paid"]
[fields.user]
title = {type = "text"}
badge = {type = "text", write = "manage_options"}
secret = {type = "text", read = "manage_options", write = "manage_options"}

[options_pages.company]
label = "Company"
public = true
[options_pages.company.fields]
phone = {type = "text", translation = "shared"}
claim = {type = "text"}
boss = {type = "relation", to = "user"}
[options_pages.keys]
label = "Keys"
capability = "edit_others_posts"
fields = {code = {type = "text", required = true}}
"""


def build_profile(**changes: object) -> Profile:
    """Return the first profile with the declared types and fields."""
    first, own = load_profile("first"), msgspec.convert(tomllib.loads(DECLARED), Profile)
    profile = msgspec.structs.replace(
        first,
        types={**first.types, **own.types},
        taxonomies={**first.taxonomies, **own.taxonomies},
        **{"fields": own.fields, "options_pages": own.options_pages, "ext_changed": False, **changes},
    )
    assert [*find_profile_faults(profile)] == []
    return profile
