// Shows fields and totals of another address at once: it presses the button "Update fields and totals" and takes the
// parts of the answer; so it does with coupons, whose forms stand beside. Pages work without it.
"use strict";
(() => {
  const form = document.querySelector("[data-checkout]");
  const button = form && form.querySelector("[data-update]");
  if (!button) {
    return;
  }
  form.classList.add("has-script");
  const adapting = "[data-adapts], [name=ship_elsewhere], [name$=_postcode], [name$=_city]";
  let asked = 0;
  const adapt = async () => {
    const number = ++asked;
    const sent = new FormData(form);
    const body = new URLSearchParams(sent);
    body.set(button.name, button.value);
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(location.href, { method: "POST", body });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (number === asked) {
        replaceParts(page, sent);
      }
    } catch {
      // The next change asks again, and so does whoever orders.
    } finally {
      if (number === asked) {
        form.removeAttribute("aria-busy");
      }
    }
  };
  // sent: what the answer knows of the form; nothing where it knows none of it.
  const replaceParts = (page, sent) => {
    const active = document.activeElement && document.activeElement.id;
    const typed = new FormData(form);
    const before = new Set([...form.elements].map(({ name }) => name));
    for (const part of form.querySelectorAll("[data-part]")) {
      const fresh = page.querySelector(`[data-checkout] [data-part="${part.dataset.part}"]`);
      if (fresh) {
        part.replaceWith(document.adoptNode(fresh));
      }
    }
    // What was typed and chosen while the answer was on its way stays, where it is still offered.
    const wasChosen = (name) => !sent || String(sent.getAll(name)) !== String(typed.getAll(name));
    for (const field of form.querySelectorAll("input:not([type=hidden]), select, textarea")) {
      const { name, type } = field;
      if (!before.has(name)) {
        continue;
      }
      if (type === "radio") {
        field.checked = wasChosen(name) && typed.get(name) === field.value ? true : field.checked;
      } else if (type === "checkbox") {
        field.checked = wasChosen(name) ? typed.has(name) : field.checked;
      } else if (field.tagName !== "SELECT") {
        field.value = typed.has(name) ? typed.get(name) : field.value;
      } else if (wasChosen(name) && [...field.options].some(({ value }) => value === typed.get(name))) {
        field.value = typed.get(name);
      }
    }
    const again = active && document.getElementById(active);
    if (again && document.activeElement !== again) {
      again.focus();
    }
  };
  const sendCoupon = async (event) => {
    if (!event.target.closest("[data-coupons]")) {
      return;
    }
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target, event.submitter));
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(location.href, { method: "POST", body });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[data-coupons]");
      if (fresh) {
        document.querySelector("[data-coupons]").replaceWith(document.adoptNode(fresh));
        replaceParts(page);
      } else {
        location.reload();
      }
    } catch {
      event.target.submit();
    } finally {
      form.removeAttribute("aria-busy");
    }
  };
  document.addEventListener("submit", sendCoupon);
  form.addEventListener("change", (event) => {
    if (event.target.matches(adapting)) {
      adapt();
    }
  });
})();
