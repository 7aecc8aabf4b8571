import { ImageUp, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import { Button } from '@/ui/button'
import { FileInput } from '@/ui/form/file-input'
import { ACCEPTED_TYPES, pictureError } from '@/ui/form/validate-picture'
import type { BookAutosave } from '../hooks/use-book-autosave'
import { useMark } from './use-mark'

/** The publisher's mark of a book: how it looks, another one, and none. */
export function MarkField({ autosave }: { autosave: BookAutosave }) {
  const { t } = useTranslation()
  const note = useId()
  const heading = useId()
  const picker = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const [objection, setObjection] = useState<string>()
  const mark = useMark(autosave)
  const { markUrl } = autosave.book
  const said = objection ?? (mark.error ? errorMessage(mark.error) : undefined)

  function take(file: File | undefined) {
    if (!file) return
    const words = pictureError(file)
    setObjection(words)
    if (words) mark.reset()
    else mark.put(file)
  }

  function remove() {
    setObjection(undefined)
    mark.remove()
    choose.current?.focus() // the button that had the focus goes
  }

  return (
    <fieldset aria-labelledby={heading} aria-describedby={note} className="grid gap-2">
      <p id={heading} className="text-sm font-medium">
        {t('books.mark.label')}
      </p>
      {markUrl && (
        // marks are dark or light: both are seen on a ground in between
        <div className="flex h-24 items-center justify-center rounded-md border border-line bg-[#8f9297] p-2">
          <img src={markUrl} alt={t('books.mark.alt')} className="max-h-full max-w-full object-contain" />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          ref={choose}
          variant="outline"
          size="sm"
          pending={mark.isPending}
          onClick={() => picker.current?.click()}
        >
          {!mark.isPending && <ImageUp aria-hidden />}
          {t(markUrl ? 'books.mark.other' : 'books.mark.choose')}
        </Button>
        {markUrl && (
          <Button variant="ghost" size="sm" disabled={mark.isPending} onClick={remove}>
            <Trash2 aria-hidden />
            {t('books.mark.remove')}
          </Button>
        )}
      </div>
      <FileInput
        ref={picker}
        label={t('books.mark.label')}
        accept={ACCEPTED_TYPES.join()}
        onFiles={([file]) => take(file)}
      />
      <p id={note} className="text-note text-ink-3">
        {t('books.mark.hint')}
      </p>
      {said && (
        <p role="alert" className="text-sm text-danger">
          {said}
        </p>
      )}
    </fieldset>
  )
}
