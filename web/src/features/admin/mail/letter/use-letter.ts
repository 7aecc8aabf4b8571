import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Language } from '@/i18n/languages'
import type { EmailContent } from '../email-content/email-content'
import { type BodyFormat, EMPTY_TEXT, type Letter, type Text } from './letter'

type Form = UseFormReturn<EmailContent>

/**
 * A letter in several languages, of which the form holds the one that is shown: `typed` are its fields. The others wait
 * here until they are shown.
 */
export function useLetter(first: Letter, form: Form, typed: Text) {
  const [format, setFormat] = useState<BodyFormat>(first.format)
  const [fallback, setFallback] = useState(first.fallback)
  const [shown, setShown] = useState(first.fallback)
  const [hidden, setHidden] = useState(() => without(first.texts, first.fallback))
  const current: Text = { subject: typed.subject, htmlBody: typed.htmlBody }
  const letter: Letter = { format, fallback, texts: { ...hidden, [shown]: current } }

  function fill({ subject, htmlBody }: Text) {
    form.setValue('subject', subject, { shouldDirty: true })
    form.setValue('htmlBody', htmlBody, { shouldDirty: true })
    form.clearErrors(['subject', 'htmlBody'])
  }
  /** Shows a version; one that is not there yet begins empty. */
  function show(code: Language) {
    if (code === shown) return
    setHidden({ ...without(hidden, code), [shown]: current })
    setShown(code)
    fill(hidden[code] ?? EMPTY_TEXT)
  }
  return {
    letter,
    shown,
    show,
    setFormat,
    setFallback,
    /** Says that the text that is shown is in another language than it seemed to be. */
    rename: (code: Language) => {
      if (shown === fallback) setFallback(code)
      setShown(code)
    },
    /** Removes the version that is shown, which is not the fall-back. */
    remove: () => {
      setHidden(without(hidden, fallback))
      setShown(fallback)
      fill(hidden[fallback] ?? EMPTY_TEXT)
    },
    /** Starts over with the form's own text in one language. */
    begin: () => {
      setHidden({})
      setFormat('html')
      setFallback(shown)
    },
  }
}

export type LetterEditor = ReturnType<typeof useLetter>

function without(texts: Letter['texts'], code: Language): Letter['texts'] {
  const { [code]: _, ...others } = texts
  return others
}
