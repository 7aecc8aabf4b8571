import { FileInput as FileIcon } from 'lucide-react'
import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import type { FormOut, TemplateMeasures } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { FileInput } from '@/ui/form/file-input'
import type { Settings } from '../model/draft'
import { useTemplate } from './use-template'

type Props = {
  form: FormOut
  trim: string
  /** Called with the numbers that the template states. */
  onRead: (stated: Partial<Settings>) => void
}

/** Takes the printer's own template as a PDF, and fills in what it states. */
export function TemplateFile({ form, trim, onRead }: Props) {
  const { t } = useTranslation()
  const note = useId()
  const picker = useRef<HTMLInputElement>(null)
  const { read, stated, error, isPending } = useTemplate(form, trim)

  return (
    <div className="grid justify-items-start gap-2 sm:col-span-2">
      <Button
        variant="outline"
        size="sm"
        pending={isPending}
        aria-describedby={note}
        onClick={() => picker.current?.click()}
      >
        {!isPending && <FileIcon aria-hidden />}
        {t('books.template.read')}
      </Button>
      <FileInput
        ref={picker}
        label={t('books.template.read')}
        accept="application/pdf"
        onFiles={([file]) =>
          file &&
          read(file, {
            onSuccess: ({ spine, ...page }) => onRead(spine === null ? page : { ...page, spine }),
          })
        }
      />
      <p id={note} className="text-note text-ink-3">
        {t('books.template.readHint')}
      </p>
      <p role="status" className="text-sm text-ink-2 empty:hidden">
        {stated && <Stated stated={stated} />}
      </p>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {errorMessage(error)}
        </p>
      )}
    </div>
  )
}

function Stated({ stated: { spine, sheetWidth, sheetHeight } }: { stated: TemplateMeasures }) {
  const { t } = useTranslation()
  const { measure } = useFormat()
  const page =
    sheetWidth !== null && sheetHeight !== null
      ? t('books.template.page', { width: measure(sheetWidth), height: measure(sheetHeight) })
      : t('books.template.pageIsCover')
  return `${page} ${spine === null ? t('books.template.noSpine') : t('books.template.spine', { width: measure(spine) })}`
}
