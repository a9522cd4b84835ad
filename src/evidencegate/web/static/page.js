// The only script: progress of a running job as it happens, and Escape for a claim's note. Every page works without it.
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.activeElement.matches(".claim > a")) document.activeElement.blur();
});
const board = document.querySelector("[data-events]");
if (board && "EventSource" in window) {
  const live = document.getElementById("progress-live");
  const feed = new EventSource(board.dataset.events);
  let drawing = false;
  const draw = async () => {
    if (drawing) return;
    drawing = true;
    await new Promise((wake) => setTimeout(wake, 250)); // several events, one drawing
    drawing = false;
    const reply = await fetch(board.dataset.progress);
    if (!reply.ok) return;
    const told = board.querySelector("details"); // what a reader opened stays open, and keeps the focus
    const open = told && told.open;
    const focused = told && told.contains(document.activeElement);
    board.innerHTML = await reply.text(); // the server escapes every word from outside
    const again = board.querySelector("details");
    if (again && open) again.open = true;
    if (again && focused) again.querySelector("summary").focus();
  };
  feed.addEventListener("progress", (event) => {
    live.textContent = JSON.parse(event.data).message;
    draw();
  });
  feed.addEventListener("end", () => {
    feed.close();
    live.textContent = "It has ended. Loading what it showed.";
    location.reload();
  });
}
