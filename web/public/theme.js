// Runs before the first paint: the saved theme, else the system's. Kept in step with src/ui/theme.ts.
;(() => {
  let saved = null
  try {
    saved = localStorage.getItem('theme')
  } catch {}
  const dark = saved === 'dark' || (saved !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#110e0c' : '#fbfaf7')
})()
