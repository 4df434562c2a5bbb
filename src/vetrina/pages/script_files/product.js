// The page of a product: pictures change in place, and price and stock follow the chosen variation.
"use strict";
(() => {
  const gallery = document.querySelector(".wp-block-shop-product-image-gallery");
  const large = gallery && gallery.querySelector("figure img");
  const first = large && { src: large.getAttribute("src"), srcset: large.getAttribute("srcset") || "", alt: large.alt };

  const show = (picture) => {
    if (!large || !picture) return;
    large.src = picture.src;
    if (picture.srcset) large.srcset = picture.srcset;
    else large.removeAttribute("srcset");
    large.alt = picture.alt || first.alt;
    if (large.parentElement.matches("a")) large.parentElement.href = picture.src;
  };

  if (gallery) {
    gallery.addEventListener("click", (event) => {
      const link = event.target.closest(".shop-gallery-pictures a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const small = link.querySelector("img");
      show({ src: link.href, srcset: small.getAttribute("srcset"), alt: small.alt });
      for (const other of gallery.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
    });
  }

  for (const form of document.querySelectorAll("form[data-variations]")) {
    const variations = JSON.parse(form.dataset.variations);
    const selects = [...form.querySelectorAll("select[data-attribute]")];
    const about = form.querySelector("[data-variation]");
    const button = form.querySelector("[data-submit]");
    const quantity = form.querySelector("input[name=quantity]");

    const fits = (variation, without) =>
      selects.every((one) => {
        const wanted = variation.choices[one.dataset.attribute];
        return one === without || !one.value || !wanted || wanted === one.value;
      });

    const update = () => {
      for (const one of selects) {
        const possible = variations.filter((variation) => fits(variation, one));
        for (const option of one.options) {
          option.disabled =
            option.value !== "" &&
            !possible.some((found) => [undefined, "", option.value].includes(found.choices[one.dataset.attribute]));
        }
      }
      const whole = selects.every((one) => one.value);
      const found = whole ? variations.find((variation) => fits(variation)) : undefined;
      form.elements.variation.value = found ? found.id : "";
      about.hidden = !whole;
      // Markup of the server's own, as in the page.
      about.innerHTML = found ? found.price : "";
      if (whole && !found) about.textContent = form.dataset.unavailable;
      if (found && found.stock) {
        const stock = document.createElement("span");
        stock.className = `shop-stock ${found.state}`;
        stock.textContent = found.stock;
        about.append(" ", stock);
      }
      button.disabled = whole && !(found && found.buyable);
      if (found && found.most) quantity.max = found.most;
      show(found && found.image ? found.image : first);
    };

    form.addEventListener("change", (event) => {
      if (selects.includes(event.target)) update();
    });
    update();
  }
})();
