"""Who may call the routes of records: read, create, change, remove, and what takes a right of its own.

Not here: what a role may do (access/roles/capabilities.py), which statuses a list shows to its caller
(content/records/visibility_filters.py). Rules: docs/rules/rights.md, 3 and 5; docs/rules/statuses.md, 9;
docs/rules/requests.md, 2.
"""

from __future__ import annotations

import msgspec

from vetrina.access.roles.capabilities import (
    may_assign_terms,
    may_create_record,
    may_delete_record,
    may_edit_others_records,
    may_edit_record,
    may_edit_records,
    may_publish_records,
)
from vetrina.content.previews import token_permissions as preview_permissions
from vetrina.content.records import (
    passwords as record_passwords,
    rules as records,
    saved_language,
    visibility,
)
from vetrina.content.records.fragment_responses import RecordFragments
from vetrina.content.records.model import Record
from vetrina.content.terms import store as term_store
from vetrina.content.translations import record_translations
from vetrina.content.types.model import ContentType
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, PermissionDenied


class CannotReadRecord(PermissionDenied):
    code = "rest_forbidden"
    message = "You may not read this record."


class ForbiddenRecordContext(PermissionDenied):
    code = "rest_forbidden_context"
    message = "You may not edit records of this type, so the context edit is not for you."


class CannotCreateRecord(PermissionDenied):
    code = "rest_cannot_create"
    message = "You may not create records of this type."


class CannotEditRecord(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change this record."


class CannotAssignAuthor(PermissionDenied):
    code = "rest_cannot_edit_others"
    message = "You may not name another user as the author."


class CannotMakeSticky(PermissionDenied):
    code = "rest_cannot_assign_sticky"
    message = "You may not make records sticky."


class CannotAssignTerm(PermissionDenied):
    code = "rest_cannot_assign_term"
    message = "You may not assign these terms."


class CannotDeleteRecord(PermissionDenied):
    code = "rest_cannot_delete"
    message = "You may not remove this record."


class WrongRecordPassword(PermissionDenied):
    code = "rest_post_incorrect_password"
    message = "The password is wrong."

    def __init__(self) -> None:
        super().__init__(True)


class RecordExists(ApiError):
    code = "rest_post_exists"
    message = "A new record cannot have an id; leave it out, or send the request to the record's own address."


class RecordPermissions:
    """Who may call the routes of one type of record."""

    site: SiteContext
    type: ContentType
    fragments: RecordFragments

    def get_record(self, call: Call) -> Record:
        """Return the record that a call addresses. Raises RecordNotFound."""
        kept: Record | None = call.lookups.get(self)
        if kept is None:
            number = call.args.get("id", 0)
            kept = records.get_record(call.work, self.type, number if isinstance(number, int) else 0)
            call.lookups[self] = kept
        return kept

    def _expect_record(self, call: Call) -> None:
        """Expect what reading a record takes, if it is in the caller's language and the first of its translations."""
        id, work = call.args.get("id", 0), call.work
        if isinstance(id, int) and id > 0:
            if self.type.taxonomies:
                term_store.expect_terms_by_record(work.tx, [id])
            record_translations.expect_light_groups(work, [id], work.language)

    def require_list_permission(self, call: Call) -> None:
        """Everybody for public records; the editing view is for those who write such records."""
        user = call.work.user
        if call.args.get("context") == "edit" and not may_edit_records(user, self.type):
            raise ForbiddenRecordContext(bool(user))

    def require_read_permission(self, call: Call) -> None:
        """Everybody for public records; other records and the editing view are for those who may see or change them.

        A preview link shows its record to whoever has it.
        """
        if self.fragments.find_kept(call, self._expect_record) is not None:
            return  # everybody may read it
        record, user, kind = self.get_record(call), call.work.user, self.type
        if call.args.get("context") == "edit" and not may_edit_record(user, kind, record):
            raise ForbiddenRecordContext(bool(user))
        password = call.request.query.get("password")
        if password and not (
            isinstance(password, str) and record_passwords.is_record_password(call.work, record, password)
        ):
            raise WrongRecordPassword
        preview_permissions.find_preview(call, kind, record)
        if not visibility.may_view_record(call.work, kind, record):
            raise CannotReadRecord(bool(user))

    def require_create_permission(self, call: Call) -> None:
        """Those who write such records; publishing, and writing for another author, need rights of their own."""
        user, kind = call.work.user, self.type
        if call.raw.get("id"):
            raise RecordExists
        # Only roles that are limited to languages ask for it.
        language = saved_language.find_new_record_language(call.work, kind, call.args) if user.grants else ""
        self._require_member_permissions(call, language)
        if not may_create_record(user, kind, language):
            raise CannotCreateRecord(bool(user))
        self._require_term_permissions(call, language)

    def require_update_permission(self, call: Call) -> None:
        """Those who may change this record; publishing, and naming another author, need rights of their own."""
        record, user = call.lookups.get(self.fragments) or self.get_record(call), call.work.user
        if not may_edit_record(user, self.type, record):
            raise CannotEditRecord(bool(user))
        language = call.args.get("lang") or record.language
        if language != record.language and not self._may_move(user, self.get_record(call), language):
            raise CannotEditRecord(bool(user))
        self._require_member_permissions(call, language)
        self._require_term_permissions(call, language)

    def require_delete_permission(self, call: Call) -> None:
        """Those who may remove this record."""
        record, user = call.lookups.get(self.fragments) or self.get_record(call), call.work.user
        if not may_delete_record(user, self.type, record):
            raise CannotDeleteRecord(bool(user))

    def _may_move(self, user: User, record: Record, language: str) -> bool:
        """Return whether the caller might have written a record in another language."""
        moved = msgspec.structs.replace(record, language=language)
        return may_create_record(user, self.type, language) and may_edit_record(user, self.type, moved)

    def _require_member_permissions(self, call: Call, language: str) -> None:
        user, kind = call.work.user, self.type
        others = may_edit_others_records(user, kind, language)
        author = call.args.get("author")
        if self.type.has("author") and author and author != user.id and not others:
            raise CannotAssignAuthor(bool(user))
        sticky = self.type.has("sticky") and call.args.get("sticky")
        if sticky and not others and not may_publish_records(user, kind, language):
            raise CannotMakeSticky(bool(user))

    def _require_term_permissions(self, call: Call, language: str) -> None:
        work = call.work
        for taxonomy in self.site.taxonomies_of(self.type):
            ids = call.args.get(taxonomy.base)
            if not isinstance(ids, list) or may_assign_terms(work.user, taxonomy, self.type.name, language):
                continue
            if any(isinstance(id, int) and term_store.find_term(work.tx, id) for id in ids):
                raise CannotAssignTerm(bool(work.user))
