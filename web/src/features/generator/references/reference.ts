import type { CoverOut, GenerateWithReferencesIn, UploadedImage } from '@/api/generated'
import { MAX_BYTES, toDataUrl } from '@/lib/prepare-image'

/** A picture of the reader's own, kept on this page only. `url` shows it; `file` is what will be sent. */
export type UploadedReference = { id: string; file: Blob; url: string; name: string }

/** A picture that the cover is to be made after. */
export type Reference = { kind: 'upload'; upload: UploadedReference } | { kind: 'cover'; cover: CoverOut }

export const referenceKey = (reference: Reference) =>
  reference.kind === 'upload' ? reference.upload.id : `cover-${reference.cover.id}`

export type FileRejection = 'invalidType' | 'tooLarge' | 'tooMany'

/** Which files there is room for, and why the others are left out: the first reason, for all of them. */
export function selectFiles(
  files: readonly File[],
  room: number,
): { taken: File[]; refused: FileRejection | undefined } {
  const reasons = new Set<FileRejection>()
  const good = files.filter((file) => {
    const reason = !file.type.startsWith('image/') ? 'invalidType' : file.size > MAX_BYTES ? 'tooLarge' : undefined
    if (reason) reasons.add(reason)
    return !reason
  })
  if (good.length > room) reasons.add('tooMany')
  return { taken: good.slice(0, Math.max(0, room)), refused: [...reasons][0] }
}

type Wire = Required<Pick<GenerateWithReferencesIn, 'referenceImageIds' | 'uploadedImages'>>

/** References as the server takes them. Rejects when a picture can no longer be read. */
export async function toReferenceRequest(references: readonly Reference[]): Promise<Wire> {
  const uploads = references.flatMap((reference) => (reference.kind === 'upload' ? [reference.upload] : []))
  return {
    referenceImageIds: references.flatMap((reference) => (reference.kind === 'cover' ? [reference.cover.id] : [])),
    uploadedImages: await Promise.all(
      uploads.map(async ({ id, file, name }): Promise<UploadedImage> => ({ id, base64: await toDataUrl(file), name })),
    ),
  }
}
