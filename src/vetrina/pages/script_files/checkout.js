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
    const body = new URLSearchParams(new FormData(form));
    body.set(button.name, button.value);
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(location.href, { method: "POST", body });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (number === asked) {
        replaceParts(page);
      }
    } catch {
      // The next change asks again, and so does whoever orders.
    } finally {
      if (number === asked) {
        form.removeAttribute("aria-busy");
      }
    }
  };
  const replaceParts = (page) => {
    const active = document.activeElement && document.activeElement.id;
    const typed = new FormData(form);
    for (const part of form.querySelectorAll("[data-part]")) {
      const fresh = page.querySelector(`[data-checkout] [data-part="${part.dataset.part}"]`);
      if (fresh) {
        part.replaceWith(document.adoptNode(fresh));
      }
    }
    // What was typed while the answer was on its way stays.
    for (const field of form.querySelectorAll("input:not([type=hidden], [type=radio], [type=checkbox]), textarea")) {
      if (typed.has(field.name)) {
        field.value = typed.get(field.name);
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
