import type { QueryClient } from '@tanstack/react-query'
import { lazy } from 'react'

const load = () => import('./-home')

export const Home = lazy(load)

/** Loads the home screen's code, and what it begins with. What cannot be loaded is said where the screen would stand. */
export const preloadHome = (queryClient: QueryClient) =>
  load().then(
    ({ prefetchHome }) => prefetchHome(queryClient),
    () => undefined,
  )
