import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { isNotFound } from '@/api/errors/api-error'
import { findCover, getJob, listUsers } from '@/api/generated'

/** People that are offered at once. */
const MOST = 6
const COVER = /^(\d{1,15}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
const JOB = /^[a-z_]+-[\w-]{1,60}$/

/** What is absent is no failure here: nothing is found. */
const orNothing = async <Found>(found: Promise<{ data: Found }>): Promise<Found | null> => {
  try {
    return (await found).data
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** People of this name or address. */
export const peopleQuery = (search: string) =>
  queryOptions({
    queryKey: ['palette', 'people', search],
    queryFn: async ({ signal }) =>
      (await listUsers({ query: { search, limit: MOST }, signal, throwOnError: true })).data,
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  })

/** The cover of this number or id. */
export const coverQuery = (name: string) =>
  queryOptions({
    queryKey: ['palette', 'cover', name],
    queryFn: ({ signal }) => orNothing(findCover({ path: { cover_name: name }, signal, throwOnError: true })),
    enabled: COVER.test(name),
  })

/** The job of this id, as the list of jobs and logs name it. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['palette', 'job', id],
    queryFn: ({ signal }) => orNothing(getJob({ path: { job_id: id }, signal, throwOnError: true })),
    enabled: JOB.test(id),
  })
