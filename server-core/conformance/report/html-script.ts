/** Search, copy and theme: the page says everything without them. */
export const SCRIPT = `
(function (root) {
  root.classList.add('js');
  document.getElementById('theme').onclick = function () {
    var dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  };
  document.getElementById('q').oninput = function (event) {
    var wanted = event.target.value.toLowerCase();
    document.querySelectorAll('.chk').forEach(function (row) {
      row.hidden = wanted !== '' && row.textContent.toLowerCase().indexOf(wanted) < 0;
    });
  };
  document.querySelectorAll('[data-copy]').forEach(function (button) {
    button.onclick = function () {
      navigator.clipboard.writeText(button.dataset.copy).then(function () {
        button.setAttribute('aria-label', 'Copied');
      });
    };
  });
})(document.documentElement);
`
