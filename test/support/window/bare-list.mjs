// Runs inside the window's page, after in-page.mjs: replaces the list of files by the same rows in plain DOM, with
// almost no code behind them. The time of its frames is what the browser needs for such rows on this machine.

const bareList = (count) => {
  const rows = document.querySelector('.rows');
  const list = rows.firstElementChild;
  const all = list.firstElementChild;
  const rowPx = all.firstElementChild.offsetHeight;

  const bareAll = all.cloneNode(true);
  const bare = list.cloneNode(false);
  bareAll.style.height = `${count * rowPx}px`;
  bare.append(bareAll);
  const places = [...bareAll.children].map((place) => {
    const within = (selector) => place.querySelector(selector);
    const [size, , downloads] = place.querySelectorAll('.soft');
    return {
      place, size, downloads, row: within('.row'), name: within('bdi'), head: within('.head'), tail: within('.tail'),
      time: within('time'), copy: within('.actions button'), more: within('.more'), index: -1,
    };
  }); // prettier-ignore

  const fill = (one, index) => {
    const name = `report-${String(index).padStart(6, '0')}.pdf`;
    one.index = index;
    one.place.style.top = `${index * rowPx}px`;
    one.row.id = `file-${index}`;
    one.row.ariaRowIndex = String(index + 2);
    one.name.title = name;
    one.head.textContent = name.slice(0, 7);
    one.tail.textContent = name.slice(7);
    one.size.textContent = `${(index * 37) % 1000} kB`;
    one.size.title = `${(index * 37) % 1000} 000 bytes`;
    one.time.textContent = `${(index % 28) + 1} Jan`;
    one.time.title = `2026-01-${(index % 28) + 1}`;
    one.time.dateTime = `2026-01-${(index % 28) + 1}`;
    one.downloads.textContent = String(index % 90);
    one.copy.ariaLabel = `Copy link: ${name}`;
    one.more.ariaLabel = `More actions ${name}`;
  };
  const show = () => {
    const from = Math.max(0, Math.floor(bare.scrollTop / rowPx) - 4);
    for (let index = from; index < from + places.length; index += 1) {
      const one = places[index % places.length];
      if (one.index !== index) fill(one, index);
    }
  };
  bare.addEventListener('scroll', show);
  show();

  return (isShown) => {
    list.style.display = isShown ? 'none' : '';
    if (isShown) rows.append(bare);
    else bare.remove();
  };
};

window.bench.bareList = bareList;
