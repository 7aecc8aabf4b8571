import { readStored, writeStored } from '@/lib/storage'

const KEY = 'generation'

/** The generation that runs, so that a reload or a second window finds it again. */
export const rememberedGeneration = () => readStored(KEY)

export const rememberGeneration = (id: string) => writeStored(KEY, id)

export const forgetGeneration = () => writeStored(KEY, null)
