"""Stored terms: slugs, trees, their records, and counts."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st
from sqlalchemy import Text, bindparam, create_engine, insert

from vetrina.backends.database import Database, Statement
from vetrina.backends.sqlite import SqliteDatabase
from vetrina.backends.tables.all_tables import METADATA
from vetrina.backends.tables.records import record
from vetrina.content.records import model as record_model
from vetrina.content.terms import listing as term_listing, rules as term_rules, store as term_store
from vetrina.content.terms.listing import TermListFilters
from vetrina.content.types.registry import CATEGORY, POST_TAG, build_profile_taxonomies, build_profile_types
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import slugs
from vetrina.kernel.times import SystemClock, load_time_zone
from vetrina.rest.error_statuses import serialize_error
from vetrina.settings import Profile, Settings

_RECORD = Statement(insert(record).values({column.name: bindparam(column.name) for column in record.c}))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path: Path = tmp_path_factory.mktemp("terms") / "site.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    METADATA.create_all(engine)
    engine.dispose()
    database = SqliteDatabase(path, durable=False)
    yield database
    database.close()


class Undone(Exception):
    pass


@contextmanager
def work_of(database: Database, language: str = "en") -> Iterator[UnitOfWork]:
    """Open a site with its default category, and roll back all changes afterwards."""
    profile = Profile()
    site = SiteContext(
        profile,
        Settings(),
        load_time_zone("UTC"),
        SystemClock(),
        build_profile_types(profile),
        build_profile_taxonomies(profile),
    )
    with suppress(Undone), database.begin_write() as tx:
        work = UnitOfWork(site, tx, origin="http://site.example", language=language)
        term_store.create_default_category(work)
        yield work
        raise Undone


@pytest.fixture
def work(database: Database) -> Iterator[UnitOfWork]:
    with work_of(database) as work:
        yield work


def post(work: UnitOfWork, id: int, status: str = "publish") -> int:
    """Store a bare record, and return its id."""
    row = {column.name: "" if isinstance(column.type, Text) else 0 for column in record.c}
    work.tx.run(
        _RECORD,
        **{**row, "id": id, "type": "post", "status": status, "language": "en", "translations": id, "meta": "{}"},
    )
    return id


def give_status(work: UnitOfWork, id: int, status: str) -> None:
    """Store a record with another status, as a save does."""
    old = record_model.find_record(work.tx, id)
    assert old is not None
    record_model.update_record_row(work, old, msgspec.structs.replace(old, status=status))


def counted(work: UnitOfWork, id: int) -> int:
    term = term_store.find_term(work.tx, id)
    assert term is not None
    return term.count


def test_the_default_category_is_number_1(work: UnitOfWork) -> None:
    term = term_store.find_term(work.tx, 1)
    assert term is not None
    assert (term.taxonomy, term.language, term.name, term.slug) == ("category", "en", "Uncategorized", "uncategorized")
    term_store.create_default_category(work)
    assert term_listing.list_terms(work, CATEGORY, TermListFilters())[1] == 1


def test_numbers_of_removed_terms_do_not_come_back(work: UnitOfWork) -> None:
    first = term_rules.create_term(work, POST_TAG, "One")
    term_rules.delete_term(work, POST_TAG, first)
    assert term_rules.create_term(work, POST_TAG, "Two").id > first.id


def test_assigning_replaces_the_set_of_one_taxonomy(work: UnitOfWork) -> None:
    one, two, tag = (
        term_rules.create_term(work, CATEGORY, "One"),
        term_rules.create_term(work, CATEGORY, "Two"),
        term_rules.create_term(work, POST_TAG, "Tag"),
    )
    id = post(work, 7)
    assert term_store.assign_terms(work, id, POST_TAG, [tag.id])
    assert term_store.assign_terms(work, id, CATEGORY, [two.id, one.id, two.id])
    assert [term.name for term in term_store.list_terms_by_record(work.tx, [id])[id]] == ["One", "Tag", "Two"]
    assert not term_store.assign_terms(work, id, CATEGORY, [one.id, two.id])
    assert term_store.assign_terms(work, id, CATEGORY, [])
    assert [term.name for term in term_store.list_terms_by_record(work.tx, [id])[id]] == ["Tag"]


def test_unknown_terms_and_those_of_another_taxonomy_are_dropped(work: UnitOfWork) -> None:
    tag = term_rules.create_term(work, POST_TAG, "Tag")
    id = post(work, 7)
    assert not term_store.assign_terms(work, id, CATEGORY, [tag.id, 999_999, 0, -1, 2**53])
    assert term_store.list_terms_by_record(work.tx, [id, 8]) == {7: [], 8: []}


def test_only_public_records_count(work: UnitOfWork) -> None:
    term = term_rules.create_term(work, POST_TAG, "Tag")
    for id, status in enumerate(("publish", "draft", "private", "future", "trash", "publish"), 1):
        term_store.assign_terms(work, post(work, id, status), POST_TAG, [term.id])
    assert counted(work, term.id) == 2
    give_status(work, 2, "publish")
    term_store.recount_terms(work, [term.id])
    assert counted(work, term.id) == 3


def test_a_name_is_taken_below_its_parent_in_any_letter_case(work: UnitOfWork) -> None:
    term = term_rules.create_term(work, CATEGORY, "Pane & vino")
    with pytest.raises(term_rules.TermExists) as refused:
        term_rules.create_term(work, CATEGORY, "PANE &amp; VINO")
    body = serialize_error(refused.value)
    assert (body["code"], body["data"]) == ("term_exists", {"status": 400, "term_id": term.id})
    assert body["additional_data"] == [term.id, term.id]


def test_an_accent_makes_another_name(work: UnitOfWork) -> None:
    term_rules.create_term(work, CATEGORY, "Papà")
    assert term_rules.create_term(work, CATEGORY, "Papa").slug == "papa-2"


def test_the_same_name_with_a_free_slug_of_its_own_is_accepted(work: UnitOfWork) -> None:
    for taxonomy in (CATEGORY, POST_TAG):
        term_rules.create_term(work, taxonomy, "Vino")
        assert term_rules.create_term(work, taxonomy, "Vino", slug="rosso").slug == "rosso"
        with pytest.raises(term_rules.TermExists):
            term_rules.create_term(work, taxonomy, "Vino", slug="rosso")


def test_the_same_name_below_another_parent_takes_its_slug_along(work: UnitOfWork) -> None:
    parent = term_rules.create_term(work, CATEGORY, "Cantina")
    term_rules.create_term(work, CATEGORY, "Vino")
    below = term_rules.create_term(work, CATEGORY, "Vino", parent=parent.id)
    assert below.slug == "vino-cantina"
    assert term_store.build_term_url(work, below) == "http://site.example/en/category/cantina/vino-cantina/"


def test_another_name_with_a_taken_slug_gets_a_number(work: UnitOfWork) -> None:
    made = [term_rules.create_term(work, POST_TAG, name).slug for name in ("Vino", "Vino!", "Vino?", "Vino.")]
    assert made == ["vino", "vino-2", "vino-3", "vino-4"]


def test_a_name_without_letters_gives_the_number_as_slug(work: UnitOfWork) -> None:
    term = term_rules.create_term(work, POST_TAG, "!!!")
    assert term.slug == str(term.id)


@pytest.mark.parametrize("name", ["", "   ", "<b></b>", "<script>x</script>"])
def test_a_name_of_nothing_is_refused(work: UnitOfWork, name: str) -> None:
    with pytest.raises(term_rules.EmptyTermName):
        term_rules.create_term(work, CATEGORY, name)
    with pytest.raises(term_rules.EmptyTermName):
        term_rules.update_term(work, POST_TAG, term_rules.create_term(work, POST_TAG, "Vino"), name=name)


def test_each_language_has_its_own_names_and_slugs(database: Database, work: UnitOfWork) -> None:
    english = term_rules.create_term(work, CATEGORY, "News")
    italian_work = UnitOfWork(work.site, work.tx, origin=work.origin, language="it")
    italian = term_rules.create_term(italian_work, CATEGORY, "News")
    assert (italian.slug, italian.language, italian.translations) == ("news", "it", italian.id)
    assert term_store.build_term_url(work, italian) == "http://site.example/it/category/news/"
    assert term_rules.create_term(italian_work, CATEGORY, "Uncategorized").slug == "uncategorized"
    names = [term.name for term in term_listing.list_terms(italian_work, CATEGORY, TermListFilters())[0]]
    assert names == ["News", "Uncategorized"]
    assert term_store.assign_terms(work, post(work, 7), CATEGORY, [english.id, italian.id])
    assert {term.id for term in term_store.list_terms_by_record(work.tx, [7])[7]} == {english.id, italian.id}


def test_a_change_may_not_take_the_slug_of_another(work: UnitOfWork) -> None:
    term_rules.create_term(work, POST_TAG, "Vino")
    other = term_rules.create_term(work, POST_TAG, "Pane")
    with pytest.raises(term_rules.DuplicateTermSlug):
        term_rules.update_term(work, POST_TAG, other, slug="Vino")
    renamed = term_rules.update_term(work, POST_TAG, other, name="Vino")
    assert (renamed.name, renamed.slug) == ("Vino", "pane")
    assert term_rules.update_term(work, POST_TAG, renamed, slug="").slug == "vino-2"
    assert term_rules.update_term(work, POST_TAG, renamed, slug="pane").slug == "pane"


def test_removal_moves_children_up_and_posts_to_the_default(work: UnitOfWork) -> None:
    top = term_rules.create_term(work, CATEGORY, "Top")
    middle = term_rules.create_term(work, CATEGORY, "Middle", parent=top.id)
    low = term_rules.create_term(work, CATEGORY, "Low", parent=middle.id)
    alone, both, draft = post(work, 7), post(work, 8), post(work, 9, "draft")
    for id, ids in ((alone, [middle.id]), (both, [middle.id, top.id]), (draft, [middle.id])):
        term_store.assign_terms(work, id, CATEGORY, ids)
    term_rules.delete_term(work, CATEGORY, middle)
    moved = term_store.find_term(work.tx, low.id)
    assert moved is not None
    assert moved.parent == top.id
    held = {
        id: [term.id for term in found] for id, found in term_store.list_terms_by_record(work.tx, [7, 8, 9]).items()
    }
    assert held == {7: [1], 8: [top.id], 9: [1]}
    assert counted(work, 1) == 1
    assert term_store.find_term(work.tx, middle.id) is None


def test_removing_a_tag_leaves_its_posts_without(work: UnitOfWork) -> None:
    tag = term_rules.create_term(work, POST_TAG, "Tag")
    term_store.assign_terms(work, post(work, 7), POST_TAG, [tag.id])
    term_rules.delete_term(work, POST_TAG, tag)
    assert term_store.list_terms_by_record(work.tx, [7]) == {7: []}


def test_hiding_empty_ones_keeps_what_stands_above_a_used_one(work: UnitOfWork) -> None:
    top = term_rules.create_term(work, CATEGORY, "Top")
    low = term_rules.create_term(work, CATEGORY, "Low", parent=top.id)
    term_rules.create_term(work, CATEGORY, "Empty", parent=top.id)
    term_store.assign_terms(work, post(work, 7), CATEGORY, [low.id])
    found, total = term_listing.list_terms(work, CATEGORY, TermListFilters(hide_empty=True))
    assert ([term.name for term in found], total) == (["Low", "Top"], 2)


@pytest.mark.parametrize("search", ["perche", "PERCHÉ", "per-che", "&", "ché & "])
def test_search_ignores_case_and_accents_in_the_name_and_reads_the_slug(work: UnitOfWork, search: str) -> None:
    term_rules.create_term(work, POST_TAG, "Perché & come", slug="x-per-che", description="unsearched")
    term_rules.create_term(work, POST_TAG, "Altro", description=search)
    assert [term.name for term in term_listing.list_terms(work, POST_TAG, TermListFilters(search=search))[0]] == [
        "Perché &amp; come"
    ]


def test_the_orders_include_and_include_slugs_follow_what_was_asked(work: UnitOfWork) -> None:
    made = [term_rules.create_term(work, POST_TAG, name).id for name in "abcd"]
    wanted = [made[2], made[0], made[3], made[2]]
    found, total = term_listing.list_terms(work, POST_TAG, TermListFilters(include=wanted, orderby="include", limit=2))
    assert ([term.name for term in found], total) == (["c", "a"], 3)
    found, _ = term_listing.list_terms(work, POST_TAG, TermListFilters(slugs=["d", "B", "a"], orderby="include_slugs"))
    assert [term.name for term in found] == ["d", "b", "a"]
    found, _ = term_listing.list_terms(
        work, POST_TAG, TermListFilters(include=wanted, orderby="include", descending=True)
    )
    assert [term.name for term in found] == ["d", "a", "c"]


@pytest.mark.parametrize("orderby", term_listing.TERM_ORDERS)
@pytest.mark.parametrize("descending", [False, True])
def test_pages_hold_every_term_once(work: UnitOfWork, orderby: str, descending: bool) -> None:
    ids = [term_rules.create_term(work, POST_TAG, name).id for name in ("è", "E", "f", "D", "d!")]
    pages = [
        term_listing.list_terms(
            work,
            POST_TAG,
            TermListFilters(orderby=orderby, descending=descending, limit=2, offset=offset, exclude=[99]),
        )
        for offset in (0, 2, 4, 6)
    ]
    assert sorted(term.id for page, _ in pages for term in page) == ids
    assert {total for _, total in pages} == {5}


_NAMES = st.text(alphabet="aàAb !-2<&", min_size=1, max_size=4)
_STEP = st.tuples(_NAMES, st.text(alphabet="ab-2 ", max_size=3), st.integers(0, 9))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(steps=st.lists(_STEP, max_size=10))
@example(steps=[("a", "", 0), ("b", "", 1), ("a!", "", 1), ("a?", "a", 1)])
def test_no_two_terms_of_a_taxonomy_ever_share_a_slug(database: Database, steps: list[tuple[str, str, int]]) -> None:
    with work_of(database) as work:
        made = [1]
        for name, slug, above in steps:
            try:
                made.append(
                    term_rules.create_term(
                        work, CATEGORY, name, slug=slug, parent=([0, *made])[above % (len(made) + 1)]
                    ).id
                )
            except (term_rules.TermExists, term_rules.EmptyTermName):
                continue
        found = [term for id in made if (term := term_store.find_term(work.tx, id))]
        assert len({term.slug for term in found}) == len(made)
        assert all(term.slug == slugs.slugify(term.slug) and term.slug for term in found)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(moves=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=12))
@example(moves=[(0, 2), (1, 1), (0, 2)])
def test_no_move_ever_makes_a_circle(database: Database, moves: list[tuple[int, int]]) -> None:
    with work_of(database) as work:
        ids = [term_rules.create_term(work, CATEGORY, name).id for name in "abcde"]
        for which, above in moves:
            term = term_store.find_term(work.tx, ids[which])
            assert term is not None
            term_rules.update_term(work, CATEGORY, term, parent=([0, *ids])[above])
        for id in ids:
            passed = set()
            while id:
                assert id not in passed
                passed.add(id)
                term = term_store.find_term(work.tx, id)
                assert term is not None
                id = term.parent


_ACT = st.one_of(
    st.tuples(st.just("assign"), st.integers(1, 3), st.sets(st.integers(0, 3))),
    st.tuples(st.just("status"), st.integers(1, 3), st.sampled_from(["publish", "draft"])),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(acts=st.lists(_ACT, max_size=12))
def test_counts_always_equal_the_public_records(database: Database, acts: list[tuple[str, int, object]]) -> None:
    with work_of(database) as work:
        tags = [term_rules.create_term(work, POST_TAG, name).id for name in "abcd"]
        status = {post(work, id, "draft"): "draft" for id in (1, 2, 3)}
        held: dict[int, set[int]] = {1: set(), 2: set(), 3: set()}
        for kind, id, what in acts:
            if kind == "assign":
                assert isinstance(what, set)
                wanted = {tags[at] for at in what}
                assert term_store.assign_terms(work, id, POST_TAG, sorted(wanted)) == (wanted != held[id])
                held[id] = wanted
            else:
                status[id] = str(what)
                give_status(work, id, str(what))
                term_store.recount_terms(work, held[id])
        for tag in tags:
            assert counted(work, tag) == sum(tag in held[id] and status[id] == "publish" for id in held)
