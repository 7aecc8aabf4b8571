import { directionOf } from '@/i18n/languages'

type Props = { html: string; language: string; className?: string }

/** A text that the server has made of Markdown: cleaned there, with the classes of this interface. */
export function HtmlText({ html, language, className }: Props) {
  return (
    <div className={className} lang={language} dir={directionOf(language)} dangerouslySetInnerHTML={{ __html: html }} />
  )
}
