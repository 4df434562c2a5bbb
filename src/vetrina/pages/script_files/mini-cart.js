// Opens the cart beside the page, and puts goods in without leaving it. Pages work without it.
"use strict";
(() => {
  const link = document.querySelector("[data-mini-cart]");
  if (!link || document.querySelector(".shop-cart, .shop-checkout")) {
    return;
  }
  const drawer = document.createElement("dialog");
  drawer.className = "shop-drawer";
  drawer.setAttribute("aria-label", link.dataset.miniCart);
  document.body.append(drawer);
  link.setAttribute("aria-haspopup", "dialog");

  const show = async (why) => {
    const address = new URL(link.href);
    address.searchParams.set("mini-cart", why);
    try {
      const answer = await fetch(address, { cache: "no-store" });
      // Its style elements are not of this page, whose policy would report them.
      const text = (await answer.text()).replace(/<style>[^<]*<\/style>/g, "");
      const page = new DOMParser().parseFromString(text, "text/html");
      const found = page.querySelector("[data-drawer]");
      if (found) {
        drawer.replaceChildren(document.adoptNode(found));
        document.dispatchEvent(new Event("cart-changed"));
        if (!drawer.open) {
          drawer.showModal();
        }
        drawer.querySelector("[data-close]").focus();
        return;
      }
    } catch {
      // The page of the cart says what is wrong.
    }
    location.href = link.href;
  };

  // Sends a form and returns the answer; the browser sends it where that failed, and shows why.
  const send = async (form, submitter) => {
    form.setAttribute("aria-busy", "true");
    try {
      const body = new URLSearchParams(new FormData(form, submitter));
      const answer = await fetch(form.getAttribute("action") || location.href, { method: "POST", body });
      if (answer.ok) {
        return answer;
      }
    } catch {
      // As a refusal.
    } finally {
      form.removeAttribute("aria-busy");
    }
    if (submitter && submitter.name) {
      form.append(Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value }));
    }
    form.submit();
    return null;
  };

  const add = async (form, submitter) => {
    const answer = await send(form, submitter);
    if (answer && new URL(answer.url).pathname !== location.pathname) {
      location.href = answer.url;
    } else if (answer) {
      await show("added");
    }
  };

  link.addEventListener("click", (event) => {
    if (!(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) {
      event.preventDefault();
      show("shown");
    }
  });
  drawer.addEventListener("click", (event) => {
    if (event.target === drawer || event.target.closest("[data-close]")) {
      drawer.close();
    }
  });
  addEventListener(
    "submit",
    (event) => {
      const { target: form, submitter } = event;
      const kind = form.elements._form && form.elements._form.value;
      const isRemoval = drawer.contains(form);
      if (!isRemoval && !(kind === "add-to-cart" && link.hasAttribute("data-after-adding"))) {
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      if (form.getAttribute("aria-busy")) {
        return;
      }
      if (isRemoval) {
        send(form, submitter).then((answer) => answer && show("shown"));
      } else {
        add(form, submitter);
      }
    },
    true,
  );
})();
