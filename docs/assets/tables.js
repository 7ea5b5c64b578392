// Sorting, filtering and choosing columns of tables in an element of the class "sortable"; without it all is still shown.
// Labels and keyboard access that the theme does not provide.
"use strict";

{
  // A cell is sorted by its first line: the second one, in small letters, has other figures.
  const firstLine = (cell) => {
    const nodes = [...cell.childNodes];
    const end = nodes.findIndex((node) => node.nodeName === "BR");
    return nodes.slice(0, end < 0 ? nodes.length : end).map((node) => node.textContent).join("").trim();
  };

  const key = (cell) => {
    const text = cell ? firstLine(cell) : "";
    const plain = text.replace(/^>|[\u202f,]/g, ""); // ">3.000" is a little more than 3
    const number = plain.startsWith("inf") ? Infinity : /^[-+]?0x/.test(plain) ? NaN : Number.parseFloat(plain);
    return text === "" ? null : Number.isNaN(number) ? text : number;
  };

  const compared = (one, other) => {
    if (one === null || other === null) return (one === null) - (other === null);
    return typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
  };

  const sort = (table, column, head) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    const lines = [...table.tBodies[0].rows];
    lines.sort((a, b) => {
      const [one, other] = [key(a.cells[column]), key(b.cells[column])];
      const last = one === null || other === null; // empty cells stay at the end
      return compared(one, other) * (down && !last ? -1 : 1);
    });
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    table.tBodies[0].append(...lines);
  };

  const sortable = (table) => {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.textContent.trim() === "") return;
      const button = document.createElement("button");
      button.type = "button";
      const link = head.querySelector("a");
      button.textContent = head.textContent;
      button.setAttribute("aria-label", `sort by ${head.textContent}`);
      if (link) link.after(button), (button.textContent = "");
      else head.replaceChildren(button);
      button.addEventListener("click", () => sort(table, column, head));
    });
  };

  const filter = (table, text) => {
    for (const line of table.tBodies[0].rows) line.hidden = !line.textContent.toLowerCase().includes(text.toLowerCase());
  };

  const show = (table, column, shown) => {
    for (const line of table.rows) if (line.cells[column]) line.cells[column].hidden = !shown;
  };

  // What lines and columns are chosen is put into the address, which can be handed on: ?lines=sin&show=h200,intel
  const choose = (form, table) => {
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    boxes.forEach((box, place) => show(table, place + 1, box.checked));
  };

  const tell = (name, value) => {
    const address = new URL(location);
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
    history.replaceState(null, "", address);
  };

  const tellColumns = (form) => {
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    tell("show", chosen.length < boxes.length && chosen.join(","));
  };

  const chooser = (table, around) => {
    const form = document.createElement("form");
    form.className = "chooser";
    form.addEventListener("submit", (event) => event.preventDefault());
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = "filter rows";
    field.setAttribute("aria-label", "show only rows with this text");
    field.addEventListener("input", () => {
      filter(table, field.value);
      tell("lines", field.value);
    });
    form.append(field);
    if (around.classList.contains("matrix")) {
      const columns = document.createElement("details"); // closed, so that the table is a few steps away by keyboard
      columns.append(Object.assign(document.createElement("summary"), {textContent: "choose columns"}));
      form.append(columns);
      [...table.tHead.rows[0].cells].slice(1).forEach((head) => {
        const label = document.createElement("label");
        const box = document.createElement("input");
        box.type = "checkbox";
        box.checked = true;
        box.value = head.textContent.trim();
        box.addEventListener("change", () => {
          choose(form, table);
          tellColumns(form);
        });
        label.append(box, ` ${box.value}`);
        columns.append(label);
      });
    }
    around.before(form);
    const asked = new URLSearchParams(location.search);
    field.value = asked.get("lines") ?? "";
    filter(table, field.value);
    if (asked.get("show")) {
      const shown = asked.get("show").split(",");
      for (const box of form.querySelectorAll("input[type=checkbox]")) box.checked = shown.includes(box.value);
      choose(form, table);
    }
  };

  for (const around of document.querySelectorAll(".sortable")) {
    const table = around.querySelector("table");
    if (table && table.tHead && table.tBodies[0]) {
      if (table.tBodies[0].rows.length > 6) chooser(table, around);
      sortable(table);
    }
  }

  const reachable = (part) => {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  };

  const label = () => {
    document.querySelectorAll("pre > code, .md-typeset__scrollwrap").forEach(reachable);
    document.querySelectorAll(".md-code__nav").forEach((nav, place) => nav.setAttribute("aria-label", `of text ${place + 1}`));
  };

  addEventListener("load", label);
  addEventListener("resize", label);
}
