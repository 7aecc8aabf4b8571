/** Shows which colors a seed gives: a page that knows the documentation of the contracts and nothing else. */
class Palettes extends HTMLElement {
  set view(view) {
    this.words = view.words
    if (this.isConnected) this.connectedCallback()
  }

  async connectedCallback() {
    const seed = Object.assign(document.createElement('input'), { type: 'number', value: '1', min: '1' })
    const label = document.createElement('label')
    label.append(this.words.seed, ' ', seed)
    const shown = document.createElement('p')
    shown.setAttribute('role', 'status')
    const draw = async () => {
      try {
        const { colors, rings } = await this.call('palettes', { seed: Number(seed.value) })
        shown.textContent = `${rings}: ${colors.join(' ')}`
      } catch (error) {
        shown.textContent = error.message
      }
    }
    seed.addEventListener('change', draw)
    this.replaceChildren(label, shown)
    await draw()
  }
}

customElements.define('rings-palettes', Palettes)
