// Moves the form of comments beneath the comment that is replied to, without loading the page again. Without scripts the
// links do the same by an address.
(() => {
	"use strict";
	const respond = document.getElementById("respond");
	const parent = respond?.querySelector("[name=comment_parent]");
	const title = document.getElementById("reply-title");
	const cancel = document.getElementById("cancel-comment-reply-link");
	if (!parent || !title || !cancel) return;
	const home = document.createComment("respond");
	respond.before(home);

	const show = (heading, id) => {
		title.textContent = heading;
		parent.value = id;
		cancel.hidden = id === "0";
		respond.querySelector("textarea").focus();
	};

	document.addEventListener("click", (event) => {
		if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
		const link = event.target.closest?.("a.comment-reply-link[data-reply]");
		const comment = link && document.getElementById(`comment-${link.dataset.reply}`);
		if (!comment) return;
		event.preventDefault();
		const answers = comment.querySelector(":scope > ol");
		if (answers) answers.before(respond);
		else comment.append(respond);
		show(link.dataset.title, link.dataset.reply);
	});

	cancel.addEventListener("click", (event) => {
		event.preventDefault();
		home.after(respond);
		show(title.dataset.title, "0");
	});
})();
