// Before the first paint: the saved theme, else the system's (src/ui/color-scheme/color-scheme.ts), and the display face if the browser has
// it already (src/ui/display-font.ts). Kept in step with these.
;(() => {
  let saved = null
  let faces = null
  try {
    saved = localStorage.getItem('theme')
    faces = localStorage.getItem('faces')
  } catch {}
  document.documentElement.classList.toggle('faces', faces !== null)
  const dark = saved === 'dark' || (saved !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#110e0c' : '#fbfaf7')
})()

// After it: the interface. Its scripts would hold up the words that are there already.
document.addEventListener('DOMContentLoaded', () => {
  const scripts = document.getElementById('interface')
  if (!scripts) return
  const parts = [...scripts.content.children]
  // each begins a fetch: a few at a time, so that a tap between them is heard
  const run = () => {
    for (let first = 0; first < parts.length; first += 4) {
      setTimeout(() => document.head.append(...parts.slice(first, first + 4)))
    }
  }
  // a page in the background is not painted
  if (document.hidden) run()
  else requestAnimationFrame(() => setTimeout(run))
})
