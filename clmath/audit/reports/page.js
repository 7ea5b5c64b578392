"use strict";
const form = document.querySelector("form");
const rows = [...document.querySelectorAll("#rows tbody tr")];
const shown = document.querySelector("#shown");

function filter() {
  const wanted = Object.fromEntries(new FormData(form));
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const fits = ["subject", "chapter", "type", "status", "width"].every((key) => !wanted[key] || row.dataset[key] === wanted[key])
      && words.every((word) => row.textContent.toLowerCase().includes(word));
    row.hidden = !fits;
    document.getElementById(row.dataset.section).hidden = !fits;
    count += fits ? 1 : 0;
  }
  shown.textContent = `${count} of ${rows.length} rows`;
}

function open() {
  const section = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (section && "open" in section) section.open = true;
}

form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", open);
form.hidden = false;
filter();
open();
