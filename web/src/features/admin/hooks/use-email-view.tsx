import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '@/ui/form/radio-group'

const VIEWS = ['html', 'text'] as const

/** The two ways to look at a letter: as a mail program would show it, in the `frame` given, or as plain text. */
export function useEmailView() {
  const { t } = useTranslation()
  const name = useId()
  const [view, setView] = useState<(typeof VIEWS)[number]>('html')
  const choice = (
    <SegmentedControl
      legend={t('admin.outbox.view')}
      hideLegend
      name={name}
      value={view}
      options={VIEWS.map((value) => ({ value, label: t(`admin.outbox.${value}`) }))}
      onChange={setView}
    />
  )
  const show = (frame: ReactNode, text: string) =>
    view === 'html' && frame ? (
      frame
    ) : (
      <pre dir="auto" className="p-5 font-sans text-sm leading-relaxed break-words whitespace-pre-wrap">
        {text}
      </pre>
    )
  return { choice, show }
}
