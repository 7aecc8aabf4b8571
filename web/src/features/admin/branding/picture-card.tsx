import { ImageUp, Trash2, Upload } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Branding } from '@/api/generated'
import { useFileDrop } from '@/lib/hooks/use-file-drop'
import { Button } from '@/ui/button'
import { cn } from '@/ui/cn'
import { FileInput } from '@/ui/form/file-input'
import { UploadProgress } from '@/ui/form/upload-progress'
import { ACCEPTED_TYPES, pictureError } from '@/ui/form/validate-picture'
import { ConfirmDialog } from '@/ui/overlay/dialog'
import { StatusPill } from '@/ui/status-pill'
import { BrandingCard } from './branding-card'
import { type PictureUse, useRemovePicture, useUploadPicture } from './mutations'
import { PreviewBackgrounds } from './preview-backgrounds'

const names = { logo: 'logo', favicon: 'favicon', 'footer-logo': 'footerLogo' } as const
const addresses = { logo: 'logoUrl', favicon: 'faviconUrl', 'footer-logo': 'footerLogoUrl' } as const

type Props = { use: PictureUse; branding: Branding }

/** One picture: how it looks now, another one before and while it is sent, and the way back to the default. */
export function PictureCard({ use, branding }: Props) {
  const { t } = useTranslation()
  const note = useId()
  const picker = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const refocus = useRef(false)
  const [chosen, setChosen] = useChosen()
  const [objection, setObjection] = useState<string>()
  const [part, setPart] = useState(0)
  const [removing, setRemoving] = useState(false)
  const send = useUploadPicture(use, setObjection)
  const remove = useRemovePicture(use)
  const kept = branding[addresses[use]]
  // a page without a logo of its own in the footer shows the one of the header there
  const shown = kept ?? (use === 'footer-logo' ? branding.logoUrl : null)
  const { over, ...drop } = useFileDrop(take)

  function take([file]: readonly File[]) {
    if (!file || send.isPending) return
    const words = pictureError(file)
    setObjection(words)
    if (!words) setChosen(file)
  }

  function upload() {
    if (!chosen) return
    setPart(0)
    setObjection(undefined)
    send.mutate({ file: chosen.file, onProgress: setPart }, { onSuccess: putDown })
  }

  // the button that had the focus goes, so the one that comes in its place takes it, once it is there
  useEffect(() => {
    if (!refocus.current || chosen || removing) return
    refocus.current = false
    requestAnimationFrame(() => choose.current?.focus())
  }, [chosen, removing])

  function putDown() {
    refocus.current = true
    setChosen(undefined)
  }

  function onRemoved() {
    refocus.current = true
  }

  return (
    <BrandingCard
      title={t(`admin.branding.${names[use]}.title`)}
      lead={t(`admin.branding.${names[use]}.lead`)}
      aside={
        <StatusPill tone={chosen ? 'warn' : kept ? 'ok' : 'quiet'}>
          {t(`admin.branding.state.${chosen ? 'waiting' : kept ? 'own' : 'standard'}`)}
        </StatusPill>
      }
    >
      <div
        {...drop}
        className={cn(
          'rounded-lg border border-dashed border-line-strong p-3 transition-colors',
          objection && 'border-danger',
          over && 'border-solid border-accent bg-accent-soft',
        )}
      >
        <PreviewBackgrounds
          use={use}
          name={branding.name}
          url={chosen?.url ?? shown}
          onBroken={() => {
            if (!chosen) return
            setChosen(undefined)
            setObjection(t('errors.field.unreadable_image'))
          }}
        />
        {chosen && (
          <p className="mt-3 text-note wrap-anywhere text-ink-2">
            <bdi>{chosen.file.name}</bdi>
          </p>
        )}
        {send.isPending && <UploadProgress part={part} label={t('admin.branding.uploading')} />}
        <div className="mt-3 flex flex-wrap gap-2">
          {chosen && (
            <Button variant="accent" size="sm" pending={send.isPending} onClick={upload}>
              {!send.isPending && <Upload />}
              {t('admin.branding.upload')}
            </Button>
          )}
          {chosen && (
            <Button variant="ghost" size="sm" disabled={send.isPending} onClick={putDown}>
              {t('common.cancel')}
            </Button>
          )}
          {!chosen && (
            <Button
              ref={choose}
              variant="outline"
              size="sm"
              aria-describedby={note}
              onClick={() => picker.current?.click()}
            >
              <ImageUp />
              {t(kept ? 'admin.branding.another' : 'admin.branding.choose')}
            </Button>
          )}
          {!chosen && kept && (
            <Button variant="ghost" size="sm" onClick={() => setRemoving(true)}>
              <Trash2 />
              {t('admin.branding.remove.action')}
            </Button>
          )}
        </div>
        <FileInput
          ref={picker}
          label={t(`admin.branding.${names[use]}.title`)}
          accept={ACCEPTED_TYPES.join()}
          onFiles={take}
        />
      </div>
      <p
        id={note}
        role={objection && 'alert'}
        className={cn('mt-2 text-xs leading-relaxed', objection ? 'text-danger' : 'text-ink-3')}
      >
        {objection ?? t('admin.branding.hint')}
      </p>
      <ConfirmDialog
        open={removing}
        onOpenChange={(open) => remove.isPending || setRemoving(open)}
        title={t('admin.branding.remove.title')}
        description={t('admin.branding.remove.body')}
        confirm={t('admin.branding.remove.action')}
        destructive
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onRemoved, onSettled: () => setRemoving(false) })}
      />
    </BrandingCard>
  )
}

type Chosen = { file: File; url: string }

/** A file with an address to show it at, which the browser keeps for as long as it is shown. */
function useChosen(): [Chosen | undefined, (file: File | undefined) => void] {
  const [chosen, setChosen] = useState<Chosen>()
  useEffect(() => () => (chosen ? URL.revokeObjectURL(chosen.url) : undefined), [chosen])
  return [chosen, (file) => setChosen(file && { file, url: URL.createObjectURL(file) })]
}
