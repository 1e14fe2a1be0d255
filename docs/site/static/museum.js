// The filter above the museum's table: a row stays if it has every word.
document.addEventListener("DOMContentLoaded", () => {
  const field = document.querySelector(".museum-filter");
  const rows = [...document.querySelectorAll(".museum tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const count = document.querySelector(".museum-count");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    let shown = 0;
    rows.forEach((row, i) => {
      const stays = words.every((word) => texts[i].includes(word));
      row.hidden = !stays;
      shown += stays;
    });
    count.textContent = `${shown} of ${rows.length}`;
  });
});
