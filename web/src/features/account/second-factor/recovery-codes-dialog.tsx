import { Check, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/overlay/dialog'

/** Shows recovery codes, this once, to be copied or downloaded. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent title={t('secondFactor.codes.dialog')} description={t('secondFactor.codes.once')}>
        <ul dir="ltr" className="grid grid-cols-1 gap-2 rounded-lg bg-sunken p-4 font-mono text-sm sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="mt-4 flex flex-wrap gap-2">
          <Button
            variant="outline"
            size="sm"
            onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}
          >
            {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
            {t(copied ? 'common.copied' : 'secondFactor.codes.copy')}
          </Button>
          <Button asChild variant="outline" size="sm">
            <a
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
              download={`recovery-codes-${window.location.hostname}.txt`}
            >
              <Download aria-hidden />
              {t('secondFactor.codes.download')}
            </a>
          </Button>
        </div>
        <DialogFooter>
          <Button onClick={onClose}>{t('secondFactor.codes.kept')}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
