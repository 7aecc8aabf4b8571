import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '../cn'

/** The end of a long form: it stays in sight at the foot of the window, above the bar of a phone. */
export function SaveBar({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div
      className={cn(
        'sticky bottom-0 z-10 mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-surface p-4 shadow-2 max-md:bottom-16 md:px-6',
        className,
      )}
    >
      {children}
    </div>
  )
}

/** Says beside a form's button that not all is saved. */
export function UnsavedNote() {
  const { t } = useTranslation()
  return <span className="text-xs text-ink-2">{t('admin.form.unsaved')}</span>
}
