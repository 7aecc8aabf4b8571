import { ImageUp, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import { Button } from '@/ui/button'
import { FileInput } from '@/ui/form/file-input'
import { ACCEPTED_TYPES, pictureError } from '@/ui/form/validate-picture'
import type { BookAutosave } from '../hooks/use-book-autosave'
import { type OwnPicture, usePicture } from './use-picture'

/** A picture that a book has of its own: how it looks, another one, and none. */
export function PictureField({ name, autosave }: { name: OwnPicture; autosave: BookAutosave }) {
  const { t } = useTranslation()
  const note = useId()
  const heading = useId()
  const picker = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const [objection, setObjection] = useState<string>()
  const { url, error, ...picture } = usePicture(name, autosave)
  const said = objection ?? (error ? errorMessage(error) : undefined)

  function take(file: File | undefined) {
    if (!file) return
    const words = pictureError(file)
    setObjection(words)
    if (words) picture.reset()
    else picture.put(file)
  }

  function remove() {
    setObjection(undefined)
    picture.remove()
    choose.current?.focus() // the button that had the focus goes
  }

  return (
    <fieldset aria-labelledby={heading} aria-describedby={note} className="grid gap-2">
      <p id={heading} className="text-sm font-medium">
        {t(`books.picture.${name}.label`)}
      </p>
      {url && (
        // marks are dark or light: both are seen on a ground in between
        <div className="flex h-24 items-center justify-center rounded-md border border-line bg-[#8f9297] p-2">
          <img src={url} alt={t(`books.picture.${name}.alt`)} className="max-h-full max-w-full object-contain" />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          ref={choose}
          variant="outline"
          size="sm"
          pending={picture.isPending}
          onClick={() => picker.current?.click()}
        >
          {!picture.isPending && <ImageUp aria-hidden />}
          {t(url ? 'books.picture.other' : 'books.picture.choose')}
        </Button>
        {url && (
          <Button variant="ghost" size="sm" disabled={picture.isPending} onClick={remove}>
            <Trash2 aria-hidden />
            {t(`books.picture.${name}.remove`)}
          </Button>
        )}
      </div>
      <FileInput
        ref={picker}
        label={t(`books.picture.${name}.label`)}
        accept={ACCEPTED_TYPES.join()}
        onFiles={([file]) => take(file)}
      />
      <p id={note} className="text-note text-ink-3">
        {t(`books.picture.${name}.hint`)}
      </p>
      {said && (
        <p role="alert" className="text-sm text-danger">
          {said}
        </p>
      )}
    </fieldset>
  )
}
