// Search in the pages: `/` goes to the field, the arrow keys through what was found, Escape back.
const box = document.querySelector('[data-index]')
const field = box.querySelector('input')
const status = box.querySelector('[role="status"]')
const list = box.querySelector('ul')
const MOST = 12
const AROUND = 40

/** @type {Promise<{page: string, heading: string, address: string, text: string, words: string}[]> | undefined} */
let index

function load() {
  index ??= fetch(box.dataset.index)
    .then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status))
      return answer.json()
    })
    .then((entries) => entries.map((entry) => ({ ...entry, words: entry.text.toLowerCase() })))
    .catch((error) => {
      index = undefined // the next letter tries again
      throw error
    })
  return index
}

/** How well an entry fits: headings before titles before texts; 0 when one of the terms is nowhere. */
function fit(entry, terms) {
  const heading = entry.heading.toLowerCase()
  const page = entry.page.toLowerCase()
  let sum = 0
  for (const term of terms) {
    const last = heading.slice(heading.lastIndexOf('.') + 1)
    if (heading === term) sum += 100
    else if (last === term) sum += 80
    else if (heading.startsWith(term)) sum += 50
    else if (heading.includes(term)) sum += 30
    else if (page.includes(term)) sum += 8
    else if (entry.words.includes(term)) sum += 2
    else return 0
  }
  return sum
}

/** Puts a text into an element, with the terms marked. */
function mark(element, text, terms) {
  const lower = text.toLowerCase()
  let done = 0
  while (done < text.length) {
    const places = terms.map((term) => [lower.indexOf(term, done), term.length]).filter(([at]) => at >= 0)
    if (!places.length) break
    const [at, length] = places.reduce((one, other) => (other[0] < one[0] ? other : one))
    const marked = document.createElement('mark')
    marked.textContent = text.slice(at, at + length)
    element.append(text.slice(done, at), marked)
    done = at + length
  }
  element.append(text.slice(done))
}

function line(entry, terms) {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = entry.address
  const heading = document.createElement('strong')
  mark(heading, entry.heading, terms)
  const rest = document.createElement('small')
  const at = Math.max(0, ...terms.map((term) => entry.words.indexOf(term)))
  const from = at > AROUND ? entry.text.indexOf(' ', at - AROUND) + 1 : 0
  const part = `${from ? '… ' : ''}${entry.text.slice(from, from + 160)}`
  mark(rest, part ? `${entry.page} · ${part}` : entry.page, terms)
  link.append(heading, rest)
  item.append(link)
  return item
}

function note(text) {
  const item = document.createElement('li')
  const said = document.createElement('p')
  said.textContent = text
  item.append(said)
  return item
}

async function search() {
  const asked = field.value
  const terms = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (!terms.length) return close()
  let entries
  try {
    entries = await load()
  } catch {
    show([note('The search cannot be loaded. Check the connection and type again.')], 'The search cannot be loaded.')
    return
  }
  if (asked !== field.value) return // another letter was typed meanwhile
  const found = entries
    .map((entry) => ({ entry, sum: fit(entry, terms) }))
    .filter(({ sum }) => sum > 0)
    .sort((one, other) => other.sum - one.sum)
  const lines = found.slice(0, MOST).map(({ entry }) => line(entry, terms))
  if (lines.length) show(lines, found.length === 1 ? '1 result' : `${found.length} results`)
  else show([note(`Nothing was found for “${asked.trim()}”.`)], 'No results')
}

function show(lines, told) {
  list.replaceChildren(...lines)
  list.hidden = false
  status.textContent = told
}

function close() {
  list.hidden = true
  list.replaceChildren()
  status.textContent = ''
}

function move(step) {
  const stops = [field, ...list.querySelectorAll('a')]
  const next = stops[stops.indexOf(document.activeElement) + step]
  next?.focus()
}

box.hidden = false
field.addEventListener('focus', () => load().catch(() => {}))
field.addEventListener('input', search)
box.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    move(event.key === 'ArrowDown' ? 1 : -1)
  } else if (event.key === 'Escape') {
    event.preventDefault()
    field.value = ''
    close()
    field.focus()
  } else if (event.key === 'Enter' && document.activeElement === field) {
    list.querySelector('a')?.click()
  }
})
box.addEventListener('click', (event) => {
  if (event.target.closest('a')) close()
})
document.addEventListener('click', (event) => {
  if (!box.contains(event.target)) close()
})
document.addEventListener('keydown', (event) => {
  const writes = event.target.closest?.('input, textarea, select, [contenteditable]')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || writes) return
  event.preventDefault()
  field.focus()
})

// the way back to a place in the contents opens what is folded around it
for (const fold of document.querySelectorAll('.contents details')) {
  if (matchMedia('(min-width: 80rem)').matches) fold.open = true
}
for (const fold of document.querySelectorAll('.pages details')) {
  if (matchMedia('(min-width: 60rem)').matches) fold.open = true
}
