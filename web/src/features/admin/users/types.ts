/** Which dialog about a user is open: the profile, or the question before something that is not easily undone. */
export type UserDialog = 'profile' | 'resign' | 'suspend' | 'sessions' | 'factors' | 'lift' | 'delete'
