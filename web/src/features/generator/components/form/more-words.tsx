import { useEffect, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Fold } from '@/ui/fold'
import { Field, Input } from '@/ui/form/field'
import { type Brief, MORE_WORDS } from '../../model/brief'

/** Words that not every cover has, folded away. They open by themselves when there is one, or when one is wrong. */
export function MoreWords({ form }: { form: UseFormReturn<Brief> }) {
  const { t } = useTranslation()
  const { register, control, formState } = form
  const filled = useWatch({ control, name: MORE_WORDS }).some((text) => text !== '')
  const wrong = MORE_WORDS.some((name) => formState.errors[name])
  const [open, setOpen] = useState(filled)
  useEffect(() => {
    if (filled || wrong) setOpen(true)
  }, [filled, wrong])
  const field = (name: (typeof MORE_WORDS)[number], hint?: string) => (
    <Field label={t(`generator.more.${name}`)} hint={hint} error={formState.errors[name]?.message}>
      {(aria) => <Input dir="auto" autoComplete="off" {...aria} {...register(name)} />}
    </Field>
  )
  return (
    <Fold title={t('generator.more.title')} open={open} onOpenChange={setOpen}>
      <div className="space-y-4">
        {field('subtitle')}
        <div className="grid grid-cols-[minmax(0,1fr)_8rem] items-start gap-3">
          {field('series')}
          {field('number', t('generator.more.numberHint'))}
        </div>
        {field('tagline', t('generator.more.taglineHint'))}
      </div>
    </Fold>
  )
}
