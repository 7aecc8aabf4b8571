/**
 * The workflows in the settings of ComfyUI, as a custom element: a workflow is taken from a file or from what ran on the
 * server, its nodes are shown, and for each is chosen what Coverwright puts into it. What is chosen is written into the
 * titles of the nodes, where `workflow.py` reads it; what suits a node is decided here as it is there.
 */

const TEXTS = ['text', 'prompt', 'value', 'string', 'text_g', 'text_l', 'clip_l', 't5xxl']
const SEEDS = ['seed', 'noise_seed']
const MODELS = ['ckpt_name', 'unet_name']
const FIELDS = ['workflow', 'reference_workflow']
const MOST_BYTES = 500_000
const ROLES = ['prompt', 'negative', 'size', 'seed', 'reference', 'output']
/** What is written into the title, which is English in every language. */
const TITLES = {
  prompt: 'Prompt',
  negative: 'Negative',
  size: 'Size',
  seed: 'Seed',
  reference: 'Reference',
  output: 'Output',
}

const sheet = new CSSStyleSheet()
sheet.replaceSync(`
  :host { display: block; }
  * { box-sizing: border-box; font: inherit; color: inherit; }
  h3, p, ul { margin: 0; padding: 0; list-style: none; }
  h3 { font-weight: 600; }
  .parts, .part, .drop { display: grid; gap: 0.75rem; }
  .parts { gap: 1.75rem; }
  .head, .row, .actions { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; }
  .head { justify-content: space-between; }
  .note { font-size: 0.75rem; color: var(--ink-3, GrayText); }
  .error { font-size: 0.8125rem; color: var(--danger, #b3261e); }
  .drop { justify-items: center; text-align: center; padding: 1.25rem; border: 1px dashed var(--line-strong, GrayText);
    border-radius: 0.75rem; }
  .drop.over { border-color: var(--accent, Highlight); background: var(--accent-soft, transparent); }
  .list { border: 1px solid var(--line, GrayText); border-radius: 0.75rem; overflow: hidden; }
  .list > li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.25rem 1rem; align-items: center;
    padding: 0.625rem 0.875rem; border-block-start: 1px solid var(--line, GrayText); }
  .list > li:first-child { border-block-start: 0; }
  .list > li { border-inline-start: 3px solid transparent; }
  .list > li.given { border-inline-start-color: var(--accent, Highlight); }
  @media (max-width: 26rem) { .list > li { grid-template-columns: minmax(0, 1fr); } }
  .name { font-weight: 600; }
  .value { grid-column: 1 / -1; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  .chips { display: flex; flex-wrap: wrap; gap: 0.375rem; }
  .chip { padding: 0.125rem 0.625rem; border-radius: 1rem; font-size: 0.75rem; background: var(--sunken, transparent);
    color: var(--ink-2, inherit); }
  .chip.ok { background: var(--ok-soft, transparent); color: var(--ok, inherit); }
  .chip.bad { background: var(--danger-soft, transparent); color: var(--danger, inherit); }
  button, select, .file { cursor: pointer; min-height: 2.5rem; padding: 0 0.875rem; border-radius: 0.5rem;
    border: 1px solid var(--line-strong, GrayText); background: var(--surface, Canvas); color: var(--ink, CanvasText); }
  select { border-color: var(--field-line, GrayText); max-width: 100%; }
  @media (pointer: coarse) { button, select, .file { min-height: 2.75rem; } }
  .file { display: inline-flex; align-items: center; }
  .file input { position: absolute; inline-size: 1px; block-size: 1px; opacity: 0; }
  button:hover, .file:hover { background: var(--sunken, transparent); }
  button:disabled, select:disabled { cursor: default; opacity: 0.6; }
  :focus-visible, .file:focus-within { outline: 2px solid var(--accent, Highlight); outline-offset: 2px; }
  summary { cursor: pointer; padding: 0.25rem 0; color: var(--ink-2, inherit); font-size: 0.8125rem; }
  details .list { margin-block-start: 0.5rem; }
`)

/** An element with properties and children; what is false is left out. */
function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children.flat(Infinity).filter((child) => child !== false && child !== undefined))
  return made
}

const isNode = (node) => typeof node?.class_type === 'string' && typeof node.inputs === 'object' && node.inputs !== null

/** The nodes of a workflow, or the name of what is wrong with the text. */
function read(text) {
  let found
  try {
    found = JSON.parse(text)
  } catch {
    return 'notJson'
  }
  if (Array.isArray(found?.nodes)) return 'editor'
  const nodes = found && typeof found === 'object' && !Array.isArray(found) ? Object.values(found) : []
  return nodes.length > 0 && nodes.every(isNode) ? found : 'noWorkflow'
}

const titleOf = (node) => (typeof node._meta?.title === 'string' ? node._meta.title.trim() : '')
/** The role that the title says; a number may follow it. */
const roleOf = (node) => {
  const title = titleOf(node)
    .toLowerCase()
    .replace(/[0-9 ]+$/, '')
  return ROLES.includes(title) ? title : undefined
}
const has = (node, names, type) => names.some((name) => typeof node.inputs[name] === type)

/** The roles that a node can have. */
function suitable(node) {
  const fits = []
  if (has(node, TEXTS, 'string')) fits.push('prompt', 'negative')
  if (has(node, ['width'], 'number') && has(node, ['height'], 'number')) fits.push('size')
  if (has(node, [...SEEDS, 'value'], 'number')) fits.push('seed')
  if ('image' in node.inputs && node.class_type.includes('Load')) fits.push('reference')
  if ('images' in node.inputs) fits.push('output')
  return fits
}

/** Who gets a role: the nodes with its title, else those that are found by what they are. */
function holders(nodes, role) {
  const all = Object.entries(nodes)
  const titled = all.filter(([, node]) => roleOf(node) === role)
  if (titled.length > 0) return { ids: titled.map(([id]) => id), found: false }
  const alone = {
    seed: ([, node]) => has(node, SEEDS, 'number'),
    size: ([, node]) => /^Empty.*Latent/.test(node.class_type) && suitable(node).includes('size'),
  }[role]
  return { ids: alone ? all.filter(alone).map(([id]) => id) : [], found: true }
}

/** What of a node tells it from others. */
function valueOf(node) {
  const text = TEXTS.map((name) => node.inputs[name]).find((value) => typeof value === 'string' && value)
  if (text) return text.slice(0, 160)
  if (has(node, ['width'], 'number')) return `${node.inputs.width} × ${node.inputs.height}`
  const model = MODELS.map((name) => node.inputs[name]).find((value) => typeof value === 'string')
  return model ?? (typeof node.inputs.image === 'string' ? node.inputs.image : '')
}

class Workflows extends HTMLElement {
  #view
  #texts = {}
  #problems = {}
  #recent

  constructor() {
    super()
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet]
  }

  set view(view) {
    const before = this.#view
    this.#view = view
    const same = before && FIELDS.every((name) => this.#texts[name] === (view.values[name] ?? ''))
    // its own changes come back, and must not take the focus away
    if (same && before.language === view.language && String(before.locked) === String(view.locked)) return
    for (const name of FIELDS) this.#texts[name] = view.values[name] ?? ''
    this.#draw()
  }

  #say(name, more = {}) {
    const text = this.#view.words[name] ?? name
    return text.replace(/\{\{(\w+)\}\}/g, (_, key) => more[key] ?? '')
  }

  #take(field, text) {
    const found = text.length > MOST_BYTES ? 'tooLarge' : read(text)
    this.#problems[field] = typeof found === 'string' ? found : undefined
    if (typeof found !== 'string') this.#change(field, text)
    this.#draw(field)
  }

  #change(field, text) {
    this.#texts[field] = text
    this.dispatchEvent(new CustomEvent('coverwright-change', { detail: { [field]: text } }))
  }

  #give(field, id, role) {
    const nodes = read(this.#texts[field])
    const meta = nodes[id]._meta ?? {}
    nodes[id]._meta = { ...meta, title: role ? TITLES[role] : nodes[id].class_type }
    // only one node has each of these
    if (role === 'size' || role === 'output')
      for (const [other, node] of Object.entries(nodes))
        if (other !== id && roleOf(node) === role) node._meta = { ...node._meta, title: node.class_type }
    this.#change(field, JSON.stringify(nodes, null, 2))
    this.#draw(field)
    this.shadowRoot.getElementById(`${field}-${id}`)?.focus()
  }

  #draw(focused) {
    if (!this.#view) return
    const parts = FIELDS.map((field) => this.#part(field))
    this.shadowRoot.replaceChildren(make('div', { className: 'parts' }, parts))
    if (focused) this.shadowRoot.querySelector(`#part-${focused}`)?.focus()
  }

  #part(field) {
    const text = this.#texts[field]
    const locked = this.#view.locked.includes(field)
    const problem = this.#problems[field]
    const heading = make('h3', { id: `part-${field}`, tabIndex: -1, textContent: this.#say(`${field}.title`) })
    const note = make('p', { className: 'note', textContent: this.#say(locked ? 'locked' : `${field}.note`) })
    const wrong = problem && make('p', { className: 'error', role: 'alert', textContent: this.#say(`fault.${problem}`) })
    const nodes = text.trim() ? read(text) : undefined
    const body =
      nodes === undefined
        ? this.#empty(field, locked)
        : typeof nodes === 'string'
          ? [make('p', { className: 'error', textContent: this.#say(`fault.${nodes}`) }), this.#actions(field, locked)]
          : [this.#summary(field, nodes), this.#nodes(field, nodes, locked), this.#actions(field, locked)]
    const part = make('section', { className: 'part' }, heading, note, wrong ?? false, body)
    part.setAttribute('aria-labelledby', heading.id)
    return part
  }

  #empty(field, locked) {
    if (locked) return []
    const drop = make(
      'div',
      { className: 'drop' },
      make('p', { className: 'note', textContent: this.#say('export') }),
      make('div', { className: 'actions' }, this.#file(field, this.#say('choose')), this.#ranButton(field)),
    )
    drop.addEventListener('dragover', (event) => {
      event.preventDefault()
      drop.classList.add('over')
    })
    drop.addEventListener('dragleave', () => drop.classList.remove('over'))
    drop.addEventListener('drop', (event) => {
      event.preventDefault()
      drop.classList.remove('over')
      void this.#open(field, event.dataTransfer?.files[0])
    })
    return [drop, this.#runs(field)]
  }

  #actions(field, locked) {
    if (locked) return []
    const remove = make('button', { type: 'button', textContent: this.#say('remove') })
    remove.addEventListener('click', () => {
      this.#problems[field] = undefined
      this.#change(field, '')
      this.#draw(field)
    })
    const buttons = [this.#file(field, this.#say('replace')), this.#ranButton(field), remove]
    return [make('div', { className: 'actions' }, buttons), this.#runs(field)]
  }

  #file(field, label) {
    const input = make('input', { type: 'file', accept: '.json,application/json' })
    input.addEventListener('change', () => void this.#open(field, input.files?.[0]))
    return make('label', { className: 'file' }, make('span', { textContent: label }), input)
  }

  async #open(field, file) {
    if (!file) return
    const large = file.size > MOST_BYTES
    this.#take(field, large ? ' '.repeat(MOST_BYTES + 1) : await file.text())
  }

  // What ran on the server

  #ranButton(field) {
    if (!this.#view.instance) return make('p', { className: 'note', textContent: this.#say('unsaved') })
    const button = make('button', { type: 'button', textContent: this.#say('recent') })
    button.addEventListener('click', () => void this.#ask(field))
    return button
  }

  async #ask(field) {
    this.#recent = { field, state: 'asking' }
    this.#draw(field)
    try {
      const { runs } = await this.call('recent')
      this.#recent = { field, state: 'known', runs }
    } catch (error) {
      this.#recent = { field, state: 'failed', why: error.message }
    }
    this.#draw(field)
  }

  #runs(field) {
    if (this.#recent?.field !== field) return []
    const { state, runs = [], why } = this.#recent
    if (state === 'asking') return make('p', { role: 'status', className: 'note', textContent: this.#say('asking') })
    if (state === 'failed') return make('p', { role: 'alert', className: 'error', textContent: why })
    if (runs.length === 0) return make('p', { role: 'status', className: 'note', textContent: this.#say('noRuns') })
    return make('ul', { className: 'list' }, runs.map((run) => this.#run(field, run)))
  }

  #run(field, run) {
    const { language } = this.#view
    const when = run.at
      ? new Intl.DateTimeFormat(`${language}-u-nu-latn`, { dateStyle: 'medium', timeStyle: 'short' }).format(run.at * 1000)
      : ''
    const take = make('button', { type: 'button', textContent: this.#say('take') })
    take.setAttribute('aria-label', `${this.#say('take')}: ${run.text || run.model || run.id}`)
    take.addEventListener('click', async () => {
      take.disabled = true
      try {
        const { workflow } = await this.call('workflow', { id: run.id })
        this.#recent = undefined
        this.#take(field, workflow)
      } catch (error) {
        this.#recent = { field, state: 'failed', why: error.message }
        this.#draw(field)
      }
    })
    const about = [when, this.#count(run.nodes), run.model].filter(Boolean).join(' · ')
    return make(
      'li',
      {},
      make('div', {}, make('p', { className: 'name', dir: 'auto', textContent: run.text || run.model || run.id }),
        make('p', { className: 'note', textContent: about })),
      take,
    )
  }

  // Its nodes

  #count(nodes) {
    const form = new Intl.PluralRules(this.#view.language).select(nodes)
    const words = this.#view.words
    return (words[`nodes.${form}`] ?? words['nodes.other'] ?? '').replace('{{n}}', String(nodes))
  }

  #summary(field, nodes) {
    const needed = field === 'workflow' ? ['prompt', 'size', 'seed'] : ['prompt', 'seed', 'reference']
    const shown = ROLES.filter((role) => needed.includes(role) || holders(nodes, role).ids.length > 0)
    return make(
      'ul',
      { className: 'chips' },
      shown.map((role) => {
        const { ids } = holders(nodes, role)
        const there = ids.length > 0
        const name = this.#say(`role.${role}`)
        const words = there ? name : this.#say('missing', { role: name })
        return make('li', { className: `chip ${there ? 'ok' : 'bad'}`, textContent: words })
      }),
    )
  }

  #nodes(field, nodes, locked) {
    const all = Object.entries(nodes)
    const usable = all.filter(([, node]) => suitable(node).length > 0 || roleOf(node))
    const rest = all.filter((entry) => !usable.includes(entry))
    const row = ([id, node]) => this.#node(field, nodes, id, node, locked)
    return [
      make('ul', { className: 'list' }, usable.map(row)),
      rest.length > 0 &&
        make(
          'details',
          {},
          make('summary', { textContent: this.#say('others', { nodes: this.#count(rest.length) }) }),
          make('ul', { className: 'list' }, rest.map(row)),
        ),
    ]
  }

  #node(field, nodes, id, node, locked) {
    const role = roleOf(node)
    const fits = suitable(node)
    const alone = ROLES.filter((one) => {
      const { ids, found } = holders(nodes, one)
      return found && ids.includes(id)
    })
    const given = role !== undefined || alone.length > 0
    const title = role ? node.class_type : titleOf(node) || node.class_type
    const value = valueOf(node)
    const name = make('div', {}, make('p', { className: 'name', dir: 'auto', textContent: title }),
      make('p', { className: 'note', dir: 'ltr', textContent: `${id} · ${node.class_type}` }))
    const cells = [name]
    if (fits.length > 0 || role) {
      const none = alone.length > 0 ? this.#say('found', { role: this.#say(`role.${alone[0]}`) }) : this.#say('role.none')
      const select = make(
        'select',
        { id: `${field}-${id}`, disabled: locked },
        make('option', { value: '', textContent: none }),
        [...new Set([...fits, ...(role ? [role] : [])])].map((one) =>
          make('option', { value: one, selected: one === role, textContent: this.#say(`role.${one}`) }),
        ),
      )
      select.setAttribute('aria-label', this.#say('gets', { node: `${title} (${id})` }))
      select.addEventListener('change', () => this.#give(field, id, select.value))
      cells.push(select)
    }
    if (value) cells.push(make('p', { className: 'note value', dir: 'auto', textContent: value }))
    return make('li', { className: given ? 'given' : '' }, cells)
  }
}

customElements.define('comfyui-workflows', Workflows)
