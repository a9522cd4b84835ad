// The only script: progress of a running job as it happens. Every page works without it.
"use strict";
const board = document.querySelector("[data-events]");
if (board && "EventSource" in window) {
  const live = document.getElementById("progress-live");
  const feed = new EventSource(board.dataset.events);
  feed.addEventListener("progress", (event) => {
    const told = JSON.parse(event.data);
    board.innerHTML = told.html; // made by the server, which escapes every word from outside
    live.textContent = told.message;
  });
  feed.addEventListener("end", (event) => {
    feed.close();
    live.textContent = JSON.parse(event.data).message;
    location.reload();
  });
}
