"use strict";
const form = document.querySelector("form");
const rows = [...document.querySelectorAll(".rows tbody tr")];
const shown = document.querySelector("#shown");
const folded = new Map([...document.querySelectorAll("details.chapter")].map((chapter) => [chapter, chapter.open]));

function facts(row) {
  const { chapter, target } = row.closest("details").dataset;
  return { ...row.dataset, chapter, target, status: row.dataset.status ?? row.lastElementChild.textContent };
}

function filter() {
  const wanted = Object.fromEntries(new FormData(form));
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  const asked = words.length > 0 || Object.values(wanted).some(Boolean);
  let count = 0;
  for (const row of rows) {
    const own = facts(row);
    const fits = ["target", "chapter", "type", "status", "width"].every((key) => !wanted[key] || own[key] === wanted[key])
      && words.every((word) => row.textContent.toLowerCase().includes(word));
    row.hidden = !fits;
    const section = document.getElementById(`row-${own.row}`);
    if (section) section.hidden = !fits;
    count += fits ? 1 : 0;
  }
  for (const [chapter, open] of folded) {
    chapter.hidden = !chapter.querySelector("tbody tr:not([hidden])");
    chapter.open = asked || open;
  }
  shown.textContent = `${count} of ${rows.length} cases`;
}

function value(row, column) {
  const text = row.cells[column].textContent.trim();
  const number = text.startsWith("inf") ? Infinity : parseFloat(text.replace(/^>/, "")); // ">3.000": a little more
  return Number.isNaN(number) || /^[-+]?0x/.test(text) ? text : number;
}

function compared(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other || 0;
  if (typeof one !== typeof other) return typeof one === "number" ? 1 : -1; // nothing measured: below all numbers
  return one.localeCompare(other);
}

function sort(head) {
  const body = head.closest("table").tBodies[0];
  const order = head.getAttribute("aria-sort") === "descending" ? "ascending" : "descending";
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const keyed = [...body.rows].map((row) => [value(row, head.cellIndex), row]);
  keyed.sort(([one], [other]) => sign * compared(one, other));
  body.append(...keyed.map(([, row]) => row));
}

function sortable(head) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = head.textContent;
  button.addEventListener("click", () => sort(head));
  head.replaceChildren(button);
}

async function copy(button) {
  const code = button.previousElementSibling;
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
}

function reveal() {
  const section = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (section && "open" in section) section.open = true;
}

form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
for (const head of document.querySelectorAll(".rows th, .matrix th")) sortable(head);
for (const button of document.querySelectorAll(".replay button")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
addEventListener("hashchange", reveal);
form.hidden = false;
filter();
reveal();
