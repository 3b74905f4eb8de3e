"""Ask players about positions: functions in this process or their own, and programs."""
