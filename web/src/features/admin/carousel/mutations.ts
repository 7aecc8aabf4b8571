import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  changeSlide,
  createSlide,
  createSlideFromCover,
  deleteSlide,
  orderSlides,
  type SlideIn,
  type SlideOut,
} from '@/api/generated'
import { toDataUrl } from '@/lib/prepare-image'
import { toast } from '@/ui/overlay/toast-store'
import { useFailureToast } from '../hooks/use-failure-toast'
import { invalidateSlides, slidesQuery } from './queries'
import type { Picture } from './use-slide-picture'

// one change after the other, so that the last one has the last word
const SCOPE = { id: 'carousel' }

/** A picture of the administrator's could not be read. */
export class UnreadablePictureError extends Error {}

/** What the form sends beside the picture. */
export type SlideFields = Required<Pick<SlideIn, 'title' | 'genre' | 'description' | 'displayOrder' | 'isActive'>>

type Save = { fields: SlideFields; picture: Picture | undefined }

/** Adds a cover, or changes the one that is given. Rejects with UnreadPicture when its picture can no longer be read. */
export function useSaveSlide(slide: SlideOut | undefined) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return useMutation({
    scope: SCOPE,
    mutationFn: async ({ fields, picture }: Save) => {
      if (picture?.kind === 'cover') {
        const body = { ...fields, coverId: picture.cover.id }
        return (await createSlideFromCover({ body, throwOnError: true })).data
      }
      const imageData = picture && (await dataOf(picture.file))
      if (!slide) return (await createSlide({ body: { ...fields, imageData }, throwOnError: true })).data
      const body = imageData ? { ...fields, imageData } : { ...fields, imageUrl: slide.imageUrl }
      return (await changeSlide({ path: { slide_id: slide.id }, body, throwOnError: true })).data
    },
    onSuccess: async () => {
      toast({ title: t(slide ? 'admin.carousel.changed' : 'admin.carousel.added') })
      await invalidateSlides(queryClient)
    },
  })
}

async function dataOf(file: Blob): Promise<string> {
  try {
    return await toDataUrl(file)
  } catch (error) {
    throw new UnreadablePictureError('The picture cannot be read', { cause: error })
  }
}

/** Shows a cover to visitors or hides it. The page shows it at once, and as it was again when it could not be saved. */
export function useSetSlideVisibility({ id }: SlideOut) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const show = useShown()
  const fail = useFailureToast(t('admin.carousel.failed.update'))
  return useMutation({
    scope: SCOPE,
    mutationFn: (isActive: boolean) => changeSlide({ path: { slide_id: id }, body: { isActive }, throwOnError: true }),
    onMutate: (isActive) => show((slides) => slides.map((slide) => (slide.id === id ? { ...slide, isActive } : slide))),
    onSuccess: () => toast({ title: t('admin.carousel.changed') }),
    onError: (error, _, before) => {
      if (before) void show(() => before)
      fail(error)
    },
    onSettled: () => invalidateSlides(queryClient),
  })
}

export function useReorderSlides() {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const show = useShown()
  const fail = useFailureToast(t('admin.carousel.failed.update'))
  return useMutation({
    scope: SCOPE,
    mutationFn: (ids: number[]) => orderSlides({ body: { ids }, throwOnError: true }),
    onMutate: (ids) => show((slides) => slides.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))),
    onSuccess: () => toast({ title: t('admin.carousel.ordered') }),
    onError: (error, _, before) => {
      if (before) void show(() => before)
      fail(error)
    },
    onSettled: () => invalidateSlides(queryClient),
  })
}

export function useDeleteSlide({ id }: SlideOut) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const fail = useFailureToast(t('admin.carousel.failed.delete'))
  return useMutation({
    scope: SCOPE,
    mutationFn: () => deleteSlide({ path: { slide_id: id }, throwOnError: true }),
    onSuccess: () => toast({ title: t('admin.carousel.delete.done') }),
    onError: fail,
    onSettled: () => invalidateSlides(queryClient),
  })
}

/** Changes the list on the page; gives back what it was. */
function useShown() {
  const queryClient = useQueryClient()
  const { queryKey } = slidesQuery()
  return async (change: (slides: SlideOut[]) => SlideOut[]) => {
    await queryClient.cancelQueries({ queryKey })
    const before = queryClient.getQueryData(queryKey)
    queryClient.setQueryData(queryKey, (slides) => slides && change(slides))
    return before
  }
}
