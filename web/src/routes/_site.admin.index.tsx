import { createFileRoute, Navigate } from '@tanstack/react-router'

export const Route = createFileRoute('/_site/admin/')({ component: () => <Navigate to="/admin/providers" replace /> })
