import type { GenerationStatus } from '@/api/generated'

/** A status for tests: a generation that is being painted, by default. */
export const status = (change: Partial<GenerationStatus> = {}): GenerationStatus => ({
  id: 'g-1',
  batchId: 'g-1',
  status: 'processing',
  phase: 'painting',
  progress: null,
  queuePosition: null,
  elapsedMs: 1_200,
  expectedMs: 3_000,
  provider: null,
  preview: null,
  result: null,
  error: null,
  errorCode: null,
  ...change,
})
