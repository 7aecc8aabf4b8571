type Props = { title: string; html: string }

/**
 * A letter about as a mail program would show it; nothing in it may run, open, send or fetch. While it is written it has
 * no address of its own to be framed from, as a kept message has. The frame inherits this
 * page's policy, which refuses styles in attributes but not those that a script of ours puts in.
 */
export function EmailFrame({ title, html }: Props) {
  return (
    <iframe
      title={title}
      // of the same origin, so that it can be dressed; its own scripts stay forbidden
      sandbox="allow-same-origin"
      referrerPolicy="no-referrer"
      srcDoc={html.replace(STYLE, `$1${KEPT}=`).replace(SHEET, '<template>$1</template>')}
      onLoad={({ currentTarget }) => dress(currentTarget.contentDocument)}
      className="h-[36rem] w-full rounded-b-lg bg-white"
    />
  )
}

// under another name the browser does not complain of each of them
const KEPT = 'data-kept-style'
const SHEET = /<style>(.*?)<\/style>/s
const STYLE = /(<[a-z][^>]*?\s)style=/gi

function dress(page: Document | null): void {
  if (!page) return
  for (const element of page.querySelectorAll<HTMLElement>(`[style], [${KEPT}]`))
    element.style.cssText = element.getAttribute(KEPT) ?? element.getAttribute('style') ?? ''
  const css = page.querySelector('template')?.content.textContent
  if (css && page.defaultView) {
    const sheet = new page.defaultView.CSSStyleSheet()
    sheet.replaceSync(css)
    page.adoptedStyleSheets = [sheet]
  }
  // a new window is what the frame may not open: a click must not replace the letter
  for (const link of page.querySelectorAll('a')) link.target = '_blank'
}
