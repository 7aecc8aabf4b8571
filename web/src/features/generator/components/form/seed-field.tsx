import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { Fold } from '@/ui/fold'
import { Field, Input } from '@/ui/form/field'
import type { Brief } from '../../model/brief'

/** What few need, folded away: the seed. It opens by itself when there is one. */
export function SeedField({ form }: { form: UseFormReturn<Brief> }) {
  const { t } = useTranslation()
  const seed = useWatch({ control: form.control, name: 'seed' })
  const error = form.formState.errors.seed?.message
  const [open, setOpen] = useState(seed !== '')
  useEffect(() => {
    if (seed) setOpen(true)
  }, [seed])
  return (
    <Fold title={t('generator.advanced')} open={open} onOpenChange={setOpen}>
      <Field label={t('generator.seed.label')} hint={t('generator.seed.hint')} error={error}>
        {(aria) => (
          <span className="flex gap-2">
            <Input
              dir="ltr"
              inputMode="numeric"
              autoComplete="off"
              placeholder={t('generator.seed.any')}
              {...aria}
              {...form.register('seed')}
            />
            {seed && (
              <Button
                variant="outline"
                size="icon"
                className="size-11"
                aria-label={t('generator.seed.clear')}
                onClick={() => {
                  form.setValue('seed', '', { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
                  form.setFocus('seed')
                }}
              >
                <X />
              </Button>
            )}
          </span>
        )}
      </Field>
    </Fold>
  )
}
